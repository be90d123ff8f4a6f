import { InputError } from "../errors/input_error.ts";
import { quoted } from "../errors/require_known.ts";
import { display } from "./display.ts";
import { visibleText } from "./leaf.ts";
import type { MimeBundle } from "./mime_bundle.ts";

/**
 * Answers the question of a section under the running cell: prose, with its numbers from the data.
 *
 * The text is Markdown, so that `**14 of 20**` stands out; HTML in it is shown as it is written, since
 * names of tokens and solvers are anybody's text.
 *
 * @param text Sentences, as Markdown.
 * @throws {InputError} Outside a notebook, or if it is no text.
 * @example Outside a notebook it says so
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

/** The formats that {@linkcode answer} shows. */
export function answerBundle(text: string): MimeBundle {
  if (typeof text !== "string") {
    throw new InputError(`Cannot answer with ${quoted(text)}`, {
      remedy: "Pass sentences as one text; `show` shows other values",
    });
  }
  const visible = visibleText(text);
  const markdown = visible.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return { "text/plain": visible, "text/markdown": markdown };
}
