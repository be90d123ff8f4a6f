import { html, html as markup, raw } from "hono/html";
import {
  type Cell,
  type CellSubject,
  type Fact,
  type LinkOf,
  type PageRoom,
  safeText,
} from "./page_content.ts";

/** A piece of HTML whose texts are escaped. */
export type Markup = ReturnType<typeof markup>;

/** Characters of a cell and of its tooltip that are shown. */
const MOST = 400;
/** Characters at the end of a hex text that stay where it is shortened. */
const TAIL = 4;
const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d/;
/** A word such as a verdict, which a narrow page breaks behind its underscores. */
const CODE_WORD = /^[a-z]+(?:_[a-z]+){2,}$/;
const LONG_HEX = /^0x[0-9a-f]{30,128}$/i;

/** What a cell shows: text, a link, a time, a label, or a hex text that is short and copied whole. */
export function cellMarkup(cell: Cell, linkOf: LinkOf): Markup {
  const { text, exact, subject, tone, after = "", isPill = false, isCopied = false } = cell;
  const href = subject === undefined ? null : linkOf(subject);
  if (isLong(cell)) return markup`${wholeMarkup(exact ?? text, href)}${after}`;
  const shown = textMarkup(text, exact);
  const kinds = [isPill && "pill", tone !== undefined && tone !== "neutral" && `tone-${tone}`]
    .filter((kind) => kind !== false).join(" ");
  const toned = kinds === "" ? shown : markup`<span class="${kinds}">${shown}</span>`;
  const linked = href === null ? toned : markup`<a href="${href}" rel="noreferrer">${toned}</a>`;
  return markup`${linked}${isCopied ? COPY_BUTTON : ""}${after}`;
}

/** Whether all of a cell's hex text is shown. */
function isLong({ text, exact, isWhole }: Cell): boolean {
  return isWhole === true && LONG_HEX.test(exact ?? text);
}

/** One click selects it, so that its link stands behind it. */
function wholeMarkup(hex: string, href: string | null): Markup {
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
  target.textContent = "Copied";
  setTimeout(() => target.textContent = "Copy", 1500);
});`;

function textMarkup(text: string, exact: string | undefined): Markup {
  if (exact !== undefined && LONG_HEX.test(exact) && text.includes("…")) {
    return shortHexMarkup(exact);
  }
  if (LONG_HEX.test(text)) return shortHexMarkup(text);
  const seen = safeText(text, MOST);
  if (CODE_WORD.test(text)) return markup`${raw(text.replaceAll("_", "_<wbr>"))}`;
  if (exact === undefined || exact === text) return markup`${seen}`;
  const whole = safeText(exact, MOST);
  return TIME.test(text)
    ? markup`<time datetime="${whole.split(" ", 1)[0]}" title="${whole}">${seen}</time>`
    : markup`<span title="${whole}">${seen}</span>`;
}

/** The whole text is there: style shortens it, so that a copy has all of it. */
function shortHexMarkup(hex: string): Markup {
  return markup`<span class="hex" title="${hex}"><span>${hex.slice(0, -TAIL)}</span>${
    hex.slice(-TAIL)
  }</span>`;
}

/** What facts are drawn with. */
interface FactFrame {
  /** Where names lead. */
  readonly linkOf: LinkOf;
  /** What the page has room for. */
  readonly room: PageRoom;
  /** What the page is about: its hex text is whole, without a link. @default {none} */
  readonly own?: CellSubject | undefined;
}

/** Names with their values, as many as there is room for. */
export function factList(facts: readonly Fact[], { linkOf, room, own }: FactFrame): Markup {
  const [hex] = Object.values(own ?? {});
  const lines: string[] = [];
  for (const { name, value } of facts) {
    const isOwn = hex !== undefined && value.exact === hex;
    const cell = isOwn ? { ...value, isWhole: true, subject: undefined } : value;
    const wide = isLong(cell) ? markup` class="wide"` : "";
    const shown = cellMarkup(cell, linkOf);
    const line = String(
      markup`<div${wide}><dt>${safeText(name, MOST)}</dt><dd>${shown}</dd></div>`,
    );
    if (!room.take(line)) break;
    lines.push(line);
  }
  const left = facts.length - lines.length;
  return markup`<dl>${raw(lines.join(""))}</dl>${
    left === 0 ? "" : markup`<p>${left} more are left out of this page.</p>`
  }`;
}

// For rooms that put a report into a page of their own.
export { html, raw };
