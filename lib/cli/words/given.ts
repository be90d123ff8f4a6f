import type { IdRange } from "./id_range.ts";
import { unknownWord, usageError } from "./usage_error.ts";

const WHOLE = /^\d{1,15}$/;
const RANGE = /^(\d{1,15})\.\.(\d{0,15})$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** What was written on the command line for one command: values are read by the names of options. */
export class Given {
  /** Name of the command. */
  readonly command: string;
  /** Its arguments. */
  readonly words: readonly string[];
  /** All words after the command's name, as they were written. */
  readonly raw: readonly string[];
  readonly #values: Readonly<Record<string, unknown>>;

  /** The words of a command, and its options by their names in camel case. */
  constructor(
    command: string,
    parsed: {
      readonly words: readonly string[];
      readonly raw: readonly string[];
      readonly values: Readonly<Record<string, unknown>>;
    },
  ) {
    this.command = command;
    this.words = parsed.words;
    this.raw = parsed.raw;
    this.#values = parsed.values;
  }

  /** Start of an error: `Cannot export`. */
  get cannot(): string {
    return `Cannot run ${this.command}`;
  }

  /** An argument that must be there; the parser sees to it. */
  word(place: number): string {
    return this.words[place] ?? "";
  }

  /** Whether an option was written, with or without a value. */
  has(option: string): boolean {
    const value = this.#values[attributeOf(option)];
    return value !== undefined && value !== false;
  }

  /** Whether `--no-…` was written. */
  isOff(option: `--no-${string}`): boolean {
    return this.#values[attributeOf(option.replace("--no-", "--"))] === false;
  }

  /** The text of an option; `undefined` if it was not written. */
  text(option: string): string | undefined {
    const value = this.#values[attributeOf(option)];
    if (typeof value !== "string") return undefined;
    if (value === "") throw this.#invalid(option, value, "a value");
    return value;
  }

  /** The texts of an option that may be written several times. */
  texts(option: string): string[] {
    const values = this.#values[attributeOf(option)];
    return Array.isArray(values) ? values.map(String) : [];
  }

  /** A whole number. */
  whole(option: string, least = 0): number | undefined {
    const text = this.text(option);
    if (text === undefined) return undefined;
    if (WHOLE.test(text) && Number(text) >= least) return Number(text);
    throw this.#invalid(option, text, `a whole number of at least ${least}`);
  }

  /** Both ends of a range that is written as `A..B`. */
  range(option: string): IdRange | undefined {
    const range = this.openRange(option);
    if (range === undefined) return undefined;
    if (range.to !== undefined) return { from: range.from, to: range.to };
    throw this.#invalid(option, this.text(option) ?? "", "both ends, such as 2620..2624");
  }

  /** A range that is written as `A..B`, or `A..` without an end. */
  openRange(option: string): { readonly from: number; readonly to?: number } | undefined {
    const text = this.text(option);
    if (text === undefined) return undefined;
    const [, from, to] = RANGE.exec(text) ?? [];
    if (from !== undefined && to === "") return { from: Number(from) };
    if (from !== undefined && to !== undefined && Number(from) <= Number(to)) {
      return { from: Number(from), to: Number(to) };
    }
    throw this.#invalid(option, text, "A..B, the lower number first, such as 2620..2624");
  }

  /** A date, or a moment with its offset, as it was written. */
  date(option: string): string | undefined {
    const text = this.text(option);
    if (text === undefined) return undefined;
    try {
      if (DAY.test(text)) Temporal.PlainDate.from(text);
      else Temporal.Instant.from(text);
      return text;
    } catch {
      throw this.#invalid(
        option,
        text,
        "a date such as 2026-11-01, or a time such as 2026-11-01T12:00Z",
      );
    }
  }

  /** Words separated by commas. */
  list(option: string): string[] | undefined {
    const text = this.text(option);
    const words = text?.split(",").map((word) => word.trim()).filter((word) => word !== "");
    if (text !== undefined && words?.length === 0) throw this.#invalid(option, text, "a value");
    return words;
  }

  /** One of the known words. */
  choice(option: string, noun: string, known: readonly string[]): string | undefined {
    const word = this.text(option);
    if (word === undefined || known.includes(word)) return word;
    throw unknownWord({ what: `${this.cannot} with ${option} ${word}`, noun, word }, known);
  }

  /** Some of the known words. */
  choices(option: string, noun: string, known: readonly string[]): string[] | undefined {
    const words = this.list(option);
    for (const word of words ?? []) {
      if (known.includes(word)) continue;
      throw unknownWord({ what: `${this.cannot} with ${option} ${word}`, noun, word }, known);
    }
    return words;
  }

  #invalid(option: string, text: string, wanted: string): Error {
    const shown = text === "" ? "and no value" : JSON.stringify(text.slice(0, 80));
    return usageError(`${this.cannot} with ${option} ${shown}`, `Pass ${option} with ${wanted}`);
  }
}

/** Name of an option's value, as the parser has it: `--api-key-file` is `apiKeyFile`. */
function attributeOf(option: string): string {
  return option.replace(/^--/, "").replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}
