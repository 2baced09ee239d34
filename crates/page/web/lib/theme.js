// Light or dark: one choice for all pages of a site, as far as the browser stores it.

/**
 * Stores a value under a name, and returns what is stored there. Some browsers store nothing for pages on disk.
 * @param {string} name
 * @param {string} [value]
 * @returns {string | null}
 */
export const stored = (name, value) => {
  try {
    if (value) localStorage.setItem(name, value);
    return localStorage.getItem(name);
  } catch {
    return null;
  }
};

/** Whether the page is dark now. */
export const isDark = () => {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
};

/**
 * Makes a button switch between light and dark.
 * @param {HTMLButtonElement} button
 */
export const switchTheme = (button) => {
  const show = () => button.setAttribute("aria-pressed", String(isDark()));
  show();
  button.addEventListener("click", () => {
    const theme = isDark() ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    stored("tx-theme", theme);
    show();
  });
};

/** Shows the page as its reader chose before. */
export const restoreTheme = () => {
  const theme = stored("tx-theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
};
