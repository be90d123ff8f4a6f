import { escapeHtml } from "./escape_html.ts";

/** Digits of the end that stay visible. */
const TAIL = 4;

/** A click selects the whole text, also where only its ends are seen. */
const WHOLE = "font-family:monospace;white-space:nowrap;user-select:all;-webkit-user-select:all";
/** Cuts the beginning to `0x` and four digits; nothing of the text is left out. */
const HEAD = "display:inline-block;max-width:4.5em;overflow:hidden;text-overflow:ellipsis;" +
  "vertical-align:bottom";

/**
 * Copies the whole text where the front end runs handlers; elsewhere, the click selects it. Without
 * `>` and `&`, at which simple readers of HTML stumble.
 */
const COPY = "const hex=event.target.closest('[data-hex]');" +
  "if(hex)navigator.clipboard?.writeText(hex.textContent).catch(function(){})";

/**
 * Hex text that is shown by its ends, selected and copied whole with one click, and linked to its
 * page where it has one.
 *
 * The text of the element is the whole hex text: what shortens it is style alone, so that whoever
 * drops styles shows more, and whoever copies it copies all.
 */
export function hexHtml(hex: string, href?: string): string {
  const [head, tail] = [hex.slice(0, -TAIL), hex.slice(-TAIL)].map(escapeHtml);
  const whole = `<span data-hex title="${escapeHtml(hex)}" style="${WHOLE}">` +
    `<span style="${HEAD}">${head}</span>${tail}</span>`;
  if (href === undefined) return whole;
  const { host } = new URL(href);
  return `${whole}&nbsp;<a href="${escapeHtml(href)}" target="_blank" rel="noopener noreferrer" ` +
    `title="Open on ${escapeHtml(host)}" style="text-decoration:none">↗</a>`;
}

/** Lets clicks on the hex texts of an output copy them; an output without any stays unchanged. */
export function copyingHtml(html: string): string {
  return html.includes("<span data-hex ") ? `<div onclick="${COPY}">${html}</div>` : html;
}
