import { InputError } from "../errors/input_error.ts";
import { quoted } from "../errors/require_known.ts";
import { display } from "./display.ts";
import { visibleText } from "./leaf.ts";
import type { MimeBundle } from "./mime_bundle.ts";

/**
 * Answers the question of a section below the running cell: prose with numbers from the data.
 *
 * The text is Markdown, so `**14 of 20**` is bold. HTML in it is escaped, since token and solver
 * names are untrusted text. The hyphen of a negative number becomes a minus sign (U+2212), as in
 * charts; code in backticks stays unchanged.
 *
 * @param text Sentences, as Markdown.
 * @throws {InputError} Outside a notebook, or if `text` is not a string.
 * @example Outside a notebook, it throws
 * ```ts
 * import { answer } from "orderlens/notebook";
 * import { assertRejects } from "@std/assert";
 *
 * await assertRejects(() => answer("In **14 of 20** auctions"), Error, "outside a notebook");
 * ```
 */
export async function answer(text: string): Promise<void> {
  await display(() => Promise.resolve(answerBundle(text)));
}

/** Code in backticks, which is left alone, or the hyphen before a number, which is its sign. */
const CODE_OR_SIGN = /`[^`]*`|(?<![\w.,-])-(?=\d)/g;
/** What is code for Markdown in any place, and needs no escapes; or a character that needs one. */
const CODE_OR_MARKUP = /(?<![`\\])`[^`\n]+`(?!`)|[&<]/g;
const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;" };

/** The formats that {@linkcode answer} shows. */
export function answerBundle(text: string): MimeBundle {
  if (typeof text !== "string") {
    throw new InputError(`Cannot answer with ${quoted(text)}`, {
      remedy: "Pass the sentences as one string; `show` displays other values",
    });
  }
  const visible = visibleText(text).replace(CODE_OR_SIGN, (found) => found === "-" ? "−" : found);
  const markdown = visible.replace(CODE_OR_MARKUP, (found) => ESCAPES[found] ?? found);
  return { "text/plain": visible, "text/markdown": markdown };
}
