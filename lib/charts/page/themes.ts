/** Where a page says that it is dark: Jupyter's themes, VS Code's, Colab's, and documentation tools'. */
export const SAYS_DARK: readonly string[] = [
  'body[data-jp-theme-light="false"]',
  "body.vscode-dark",
  "body.vscode-high-contrast:not(.vscode-high-contrast-light)",
  'html[theme="dark"]',
  '[data-theme="dark"]',
];

/** Where it says that it is light, whatever the reader's system prefers. */
export const SAYS_LIGHT: readonly string[] = [
  'body[data-jp-theme-light="true"]',
  "body.vscode-light",
  "body.vscode-high-contrast-light",
  'html[theme="light"]',
  '[data-theme="light"]',
];
