import { InputError } from "./input_error.ts";
import { nearestText } from "./nearest_text.ts";

/** What a word is used for, for the error text. */
export interface WordInUse {
  /** What the word names, such as `baseline`. */
  readonly what: string;
  /** Start of the message, such as `Cannot measure slippage`. */
  readonly action: string;
}

/**
 * Rejects an unknown word: notebooks are not type-checked, and a misspelt word would otherwise
 * silently be taken for another one.
 *
 * @param word The caller's word.
 * @param known The known words.
 * @param use What the word is used for.
 * @throws {InputError} Names the word, the nearest known one, and all known ones.
 */
export function requireWord(word: unknown, known: readonly string[], use: WordInUse): void {
  if (typeof word === "string" && known.includes(word)) return;
  const shown = typeof word === "string" ? JSON.stringify(word.slice(0, 80)) : String(word);
  const meant = typeof word === "string" ? suggest(word, known) : undefined;
  throw new InputError(
    `${use.action} with ${use.what} ${shown}: ` +
      (meant === undefined ? `unknown ${use.what}` : `did you mean "${meant}"?`),
    { remedy: `Pass one of ${known.map((each) => `"${each}"`).join(", ")}` },
  );
}

function suggest(word: string, known: readonly string[]): string | undefined {
  const plain = word.trim().toLowerCase().replaceAll(/[\s_-]+/g, "");
  if (plain === "") return undefined;
  const meanings = new Map(known.map((each) => [each.toLowerCase(), each]));
  const nearest = nearestText(plain, meanings.keys());
  if (nearest !== undefined) return meanings.get(nearest);
  const [part, ...others] = meanings.keys().filter((each) => each.includes(plain));
  return part === undefined || others.length > 0 ? undefined : meanings.get(part);
}
