import { InputError } from "../../errors/mod.ts";
import { nearestText } from "../../errors/orderlens_error.ts";
import type { ExitCode } from "../terminal/io.ts";
import type { Session } from "../terminal/session.ts";

const WHOLE = /^\d{1,15}$/;
const RANGE = /^(\d{1,15})\.\.(\d{0,15})$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** What was written on the command line for one command: values are read by the names of options. */
export class Args {
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

/** Numbers from one to another, both included. */
export interface IdRange {
  /** The first. */
  readonly from: number;
  /** The last. */
  readonly to: number;
}

/** The error for words that do not make a command. */
export function usageError(what: string, remedy: string): InputError {
  return new InputError(what, { remedy });
}

/** A word that is none of those known. */
interface UnknownWord {
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

/**
 * A permission that a command may need. Some are given only where the words ask for them: `net` where
 * a deployment or a node is named; `live` also where none is, since the public networks are asked then;
 * `output` where a file to write is named; `page` the same and, with `--open`, to run a program;
 * `native` for a file of Parquet; `engine` to find the folder of temporary files and, with `--engine spark`, to run it and find its folder.
 */
export type Permission =
  | "read"
  | "write"
  | "net"
  | "live"
  | "loopback"
  | "output"
  | "page"
  | "native"
  | "ffi"
  | "sys"
  | "env"
  | "webhook env"
  | "run"
  | "engine";

/** What completions offer: named lists, files, folders, or nothing. */
export type ValueKind = "network" | "recording" | "table" | "file" | "folder";

/** What may be written for a value. */
export type Values = ValueKind | readonly string[];

/** One option of a command. */
export interface OptionSpec {
  /** The option as help shows it: `--last <number>`. */
  readonly flags: string;
  /** What it does, in lower case and without a period. */
  readonly text: string;
  /** What may be written for its value. */
  readonly values?: Values;
  /** Whether it may be written several times. */
  readonly isRepeated?: true;
}

/** One argument of a command. */
export interface ArgumentSpec {
  /** The argument as help shows it: `<folder>`, `[names...]`. */
  readonly name: string;
  /** What it is. */
  readonly text: string;
  /** What may be written for it. */
  readonly values?: Values;
}

/** A line that can be run, and what it does. */
export interface Example {
  /** The words after `orderlens`. */
  readonly words: string;
  /** What it does, in a few words. */
  readonly text: string;
}

/** One command: the whole of its help and completions, and what it does. */
export interface CommandSpec {
  /** Its words: `export`, or `notebook new`. */
  readonly name: string;
  /** What it does, in one line of the list of commands. */
  readonly summary: string;
  /** More about it, in its own help. */
  readonly description?: string;
  /** Its arguments. */
  readonly arguments?: readonly ArgumentSpec[];
  /** Its options, besides those of every command. */
  readonly options?: readonly OptionSpec[];
  /** At least one line to try. */
  readonly examples: readonly Example[];
  /** The permissions it needs. */
  readonly permissions: readonly Permission[];
  /** Whether it goes on where it was interrupted, when it is run again. */
  readonly isResumable?: true;
  /** Whether words that it does not know go to another program. */
  readonly passesOn?: true;
  /** Does it. Rooms that it needs are imported here, so that help is quick. */
  run(session: Session, args: Args): Promise<ExitCode>;
}

/** Options of every command. */
export const COMMON_OPTIONS: readonly OptionSpec[] = [
  { flags: "--json", text: "print data as JSON" },
  { flags: "--quiet", text: "say nothing but warnings and errors on stderr" },
  { flags: "--verbose", text: "say more, with the stack of an error" },
];

/** The words as they are typed in a shell. */
export function commandLine(args: readonly string[]): string {
  const quoted = args.map((word) =>
    /^[\w.,:/@=+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
  );
  return ["orderlens", ...quoted].join(" ");
}

/** What a publisher says of a dataset; kept until something else is said. */
export const ABOUT_OPTIONS: NonNullable<CommandSpec["options"]> = [
  { flags: "--title <text>", text: "title of the dataset" },
  { flags: "--license <name>", text: "license of the dataset, such as CC-BY-4.0" },
  { flags: "--creator <name>", text: "who publishes the dataset" },
];

/** The values of these options. */
export function aboutOf(args: Args) {
  return {
    title: args.text("--title"),
    license: args.text("--license"),
    creator: args.text("--creator"),
  };
}

/** Formats that tables are written in. */
export const FORMATS = ["parquet", "csv", "ndjson", "sqlite"] as const;

/** A format that tables are written in. */
export type Format = typeof FORMATS[number];
