import { html, html as markup, raw } from "hono/html";
import {
  type Cell,
  type CellSubject,
  type Fact,
  isShortHex,
  type PageRoom,
  sanitizeText,
  type ToLink,
} from "./page_content.ts";

/** A piece of HTML whose texts are escaped. */
export type Markup = ReturnType<typeof markup>;

/** Characters of a cell and of its tooltip that are shown. */
const MAX_LENGTH = 800;
/** Longer values of facts have a line of their own: half of a wide page has no room for them. */
const MAX_NARROW = 44;
/** Characters at the end of a hex text that stay where it is shortened. */
const TAIL = 6;
/**
 * Code between backticks, what no line breaks within: options, shortened hex texts and times, with their points, and
 * long numbers with their sign. One that is wider than a line breaks at its commas.
 */
const WORDS =
  /(`[^`]+`|--[a-z][a-z-]+|\(?(?:[−+]?\d{1,3}(?:,\d{3}){4,}|0x[0-9a-f]+…[0-9a-f]+|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)? UTC)[.,:;)]*)/i;
const NUMBER = /^\(?[−+]?\d{1,3},/;
const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d/;
/** A word such as a verdict, which a narrow page breaks behind its underscores. */
const CODE_WORD = /^[a-z]+(?:_[a-z]+){2,}$/;
const LONG_HEX = /^0x[0-9a-f]{30,128}$/i;

/** Renders a cell: text, a link, a time, a label, or a hex text that is short and copied whole. */
export function renderCell(cell: Cell, toLink: ToLink): Markup {
  const { text, exact, subject, tone, after: suffix = "", isPill = false, isCopied = false } = cell;
  const href = subject === undefined ? null : toLink(subject);
  if (isLong(cell)) return markup`${renderWholeHex(exact ?? text, href)}${renderWords(suffix)}`;
  const content = renderText(text, exact);
  const kinds = [isPill && "pill", tone !== undefined && tone !== "neutral" && `tone-${tone}`]
    .filter((kind) => kind !== false).join(" ");
  const toned = kinds === "" ? content : markup`<span class="${kinds}">${content}</span>`;
  const linked = href === null ? toned : markup`<a href="${href}" rel="noreferrer">${toned}</a>`;
  return markup`${renderBar(cell)}${linked}${isCopied ? COPY_BUTTON : ""}${renderWords(suffix)}`;
}

/** A bar for who sees it: its text says the same. */
function renderBar({ share }: Cell): Markup | "" {
  return share === undefined
    ? ""
    : markup`<meter value="${share.toFixed(4)}" aria-hidden="true"></meter> `;
}

/** Whether all of a cell's hex text is shown. */
function isLong({ text, exact, isWhole }: Cell): boolean {
  return isWhole === true && LONG_HEX.test(exact ?? text);
}

/** One click selects it, so that its link stands behind it. */
function renderWholeHex(hex: string, href: string | null): Markup {
  const [, host = "Open"] = /^https:\/\/([^/]+)\//.exec(href ?? "") ?? [];
  return markup`<span class="whole">${hex}</span>${COPY_BUTTON}${
    href === null ? "" : markup` <a href="${href}" rel="noreferrer">${host}</a>`
  }`;
}

/** Copies what stands before it; it is not there on a page without {@linkcode COPY_SCRIPT}. */
const COPY_BUTTON = markup` <button type="button" class="copy">Copy</button>`;

/** The script that shows the buttons of a page that copy, also those that come later. */
export const COPY_SCRIPT = `document.documentElement.classList.add("can-copy");
addEventListener("click", ({ target }) => {
  if (!target.matches?.("button.copy")) return;
  getSelection().selectAllChildren(target.previousElementSibling);
  if (!document.execCommand("copy")) return;
  getSelection().removeAllRanges();
  target.textContent = "Copied";
  setTimeout(() => target.textContent = "Copy", 1500);
});`;

function renderText(text: string, exact: string | undefined): Markup {
  if (exact !== undefined && LONG_HEX.test(exact) && isShortHex(text)) {
    return renderShortHex(exact);
  }
  if (LONG_HEX.test(text)) return renderShortHex(text);
  const visible = sanitizeText(text, MAX_LENGTH);
  if (CODE_WORD.test(text)) return markup`${raw(text.replaceAll("_", "_<wbr>"))}`;
  if (exact === undefined || exact === text) return renderWords(visible);
  const tooltip = sanitizeText(exact, MAX_LENGTH);
  return TIME.test(text)
    ? markup`<time datetime="${tooltip.split(" ", 1)[0]}" title="${tooltip}">${visible}</time>`
    : markup`<span title="${tooltip}">${renderWords(visible)}</span>`;
}

/** Renders text with its code, and with hex texts, times and options in one line, where they fit into one. */
export function renderWords(text: string): Markup {
  const parts = text.split(WORDS);
  return markup`${
    parts.map((part, index) => {
      if (index % 2 === 0) return part;
      if (part.startsWith("`")) return markup`<code>${part.slice(1, -1)}</code>`;
      const tag = raw(part.startsWith("--") ? "code" : "span");
      const content = NUMBER.test(part) ? raw(part.replaceAll(/,\b/g, ",<wbr>")) : part;
      return markup`<${tag} class="unbroken">${content}</${tag}>`;
    })
  }`;
}

/** The whole text is there: style shortens it, so that a copy has all of it. */
function renderShortHex(hex: string): Markup {
  return markup`<span class="hex" title="${hex}"><span>${hex.slice(0, -TAIL)}</span>${
    hex.slice(-TAIL)
  }</span>`;
}

/** Context of rendered facts. */
interface FactFrame {
  /** Links of names. */
  readonly toLink: ToLink;
  /** Bytes left on the page. */
  readonly room: PageRoom;
  /** Subject of the page: its hex text is whole, without a link. @default {none} */
  readonly subject?: CellSubject | undefined;
}

/** Names with their values, as many as there is room for. */
export function renderFacts(facts: readonly Fact[], { toLink, room, subject }: FactFrame): Markup {
  const [hex] = Object.values(subject ?? {});
  const lines: string[] = [];
  for (const { name, value } of facts) {
    const isOwn = hex !== undefined && value.exact === hex;
    const cell = isOwn ? { ...value, isWhole: true, subject: undefined } : value;
    const isSentence = cell.text.length + (cell.after?.length ?? 0) > MAX_NARROW;
    const wide = isLong(cell) || isSentence ? markup` class="wide"` : "";
    const content = renderCell(cell, toLink);
    const line = String(
      markup`<div${wide}><dt>${sanitizeText(name, MAX_LENGTH)}</dt><dd>${content}</dd></div>`,
    );
    if (!room.take(line)) break;
    lines.push(line);
  }
  const omitted = facts.length - lines.length;
  return markup`<dl>${raw(lines.join(""))}</dl>${
    omitted === 0 ? "" : markup`<p>${omitted} more are left out of this page.</p>`
  }`;
}

// For rooms that put a report into a page of their own.
export { html, raw };
