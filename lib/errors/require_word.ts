import { InputError } from "./input_error.ts";
import { nearestText } from "./nearest_text.ts";

/** What a word is for, in the words of the error. */
export interface WordInUse {
  /** What the word names, as `baseline`. */
  readonly what: string;
  /** What could not be done, as `Cannot measure slippage`. */
  readonly action: string;
}

/**
 * Refuses a word that there is not: notebooks are not type-checked, and a misspelt word would
 * otherwise be taken for another one, silently.
 *
 * @param word What the caller passed.
 * @param known Words that there are.
 * @param use What the word is for.
 * @throws {InputError} Naming the word, the nearest one, and all that there are.
 */
export function requireWord(word: unknown, known: readonly string[], use: WordInUse): void {
  if (typeof word === "string" && known.includes(word)) return;
  const shown = typeof word === "string" ? JSON.stringify(word.slice(0, 80)) : String(word);
  const meant = typeof word === "string" ? suggest(word, known) : undefined;
  throw new InputError(
    `${use.action} with ${use.what} ${shown}: ` +
      (meant === undefined ? `there is no such ${use.what}` : `did you mean "${meant}"?`),
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
