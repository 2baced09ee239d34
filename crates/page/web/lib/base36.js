/**
 * The numbers of a list in base 36, separated by spaces.
 * @param {string | undefined} text
 * @returns {number[]}
 */
export const numbers = (text) => (text ? text.split(" ").map((number) => Number.parseInt(number, 36)) : []);
