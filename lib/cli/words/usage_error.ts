import { InputError } from "../../errors/mod.ts";
import { nearestText } from "../../errors/nearest_text.ts";

/** The error for words that do not make a command. */
export function usageError(what: string, remedy: string): InputError {
  return new InputError(what, { remedy });
}

/** A word that is none of those known. */
export interface UnknownWord {
  /** Start of the message, such as `Cannot run export with --format excel`. */
  readonly what: string;
  /** What the word is, such as `format`. */
  readonly noun: string;
  /** The word. */
  readonly word: string;
}

/** The error for a word that is none of those known: names the nearest, and all. */
export function unknownWord(
  { what, noun, word }: UnknownWord,
  known: readonly string[],
): InputError {
  const nearest = nearestText(word.toLowerCase(), known);
  const why = nearest === undefined ? `unknown ${noun}` : `did you mean ${nearest}?`;
  return usageError(`${what}: ${why}`, `Pass one of ${known.join(", ")}`);
}
