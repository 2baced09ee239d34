/**
 * Asks the site for JSON.
 * @param {string} address
 * @param {Record<string, string>} [values]
 */
export const getJson = async (address, values = {}) => {
  const answer = await fetch(`${address}${address.includes("?") ? "&" : "?"}${new URLSearchParams(values)}`);
  return answer.ok ? answer.json() : Promise.reject(answer.status);
};
