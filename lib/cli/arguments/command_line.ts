import { InputError } from "../../errors/mod.ts";
import { findNearestText } from "../../errors/orderlens_error.ts";
import { isNetworkName } from "../../networks/explorer_url.ts";
import type { NetworkName } from "../../networks/network.ts";
import { parseIdentifier } from "../../networks/identifier.ts";
import type { ExitCode } from "../terminal/io.ts";
import type { Session } from "../terminal/session.ts";

const WHOLE_NUMBER = /^\d{1,15}$/;
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
  readonly #values: ReadonlyMap<string, readonly string[]>;

  /** The words of a command, and its options by their names: those without a value have none. */
  constructor(
    command: string,
    input: {
      readonly words: readonly string[];
      readonly raw: readonly string[];
      readonly values: ReadonlyMap<string, readonly string[]>;
    },
  ) {
    this.command = command;
    this.words = input.words;
    this.raw = input.raw;
    this.#values = input.values;
  }

  /** Start of an error: `Cannot run export`. */
  get cannot(): string {
    return `Cannot run ${this.command}`;
  }

  /** The error for words that do not make this command: `without a deployment`. */
  error(problem: string, remedy: string): InputError {
    return usageError(`${this.cannot} ${problem}`, remedy);
  }

  /** An argument that must be there; the parser sees to it. */
  word(index: number): string {
    return this.words[index] ?? "";
  }

  /** Whether an option was written, with or without a value. */
  has(option: string): boolean {
    return this.#values.has(option);
  }

  /** The texts of an option that may be written several times. */
  texts(option: string): readonly string[] {
    return this.#values.get(option) ?? [];
  }

  /** The text of an option; `undefined` if it was not written. */
  text(option: string): string | undefined {
    const value = this.texts(option).at(-1);
    if (value === "") throw this.#invalidError(option, value, "a value");
    return value;
  }

  /** A whole number. */
  whole(option: string, min = 0): number | undefined {
    const text = this.text(option);
    if (text === undefined) return undefined;
    if (WHOLE_NUMBER.test(text) && Number(text) >= min) return Number(text);
    throw this.#invalidError(option, text, `a whole number of at least ${min}`);
  }

  /** Both ends of a range that is written as `A..B`. */
  range(option: string): IdRange | undefined {
    const range = this.openRange(option);
    if (range === undefined) return undefined;
    if (range.to !== undefined) return { from: range.from, to: range.to };
    throw this.#invalidError(option, this.text(option) ?? "", "both ends, such as 2620..2624");
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
    throw this.#invalidError(option, text, "A..B, the lower number first, such as 2620..2624");
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
      const hint = "a date such as 2026-11-01, or a time such as 2026-11-01T12:00Z";
      throw this.#invalidError(option, text, hint);
    }
  }

  /** An address, with `0x` and lower-case digits however it was written. */
  address(option: string): string | undefined {
    const text = this.text(option);
    if (text === undefined) return text;
    const identifier = parseIdentifier(text);
    if (identifier?.kind === "account") return identifier.key;
    throw this.error(`with ${option} ${text}: it is not an address`, "Pass 0x and 40 hex digits");
  }

  /** A URL of http or https. It may hold a secret, so that an error does not show it. */
  url(option: string, example: string): string | undefined {
    const text = this.text(option);
    if (text === undefined || isWebUrl(text)) return text;
    throw this.error(
      `with ${option}: it is not an http or https URL`,
      `Pass one with its scheme, such as ${example}`,
    );
  }

  /** One of the known words. */
  choice<const Word extends string>(option: string, words: readonly Word[]): Word | undefined {
    const word = this.text(option);
    return word === undefined ? undefined : this.#requireWord(option, word, words);
  }

  /** Some of the known words, separated by commas. */
  choices<const Word extends string>(option: string, choices: readonly Word[]): Word[] | undefined {
    const text = this.text(option);
    const words = text?.split(",").map((word) => word.trim()).filter((word) => word !== "");
    if (text !== undefined && words?.length === 0) {
      throw this.#invalidError(option, text, "a value");
    }
    return words?.map((word) => this.#requireWord(option, word, choices));
  }

  #requireWord<Word extends string>(option: string, word: string, words: readonly Word[]): Word {
    const match = words.find((candidate) => candidate === word);
    if (match !== undefined) return match;
    throw unknownWordError(`${this.cannot} with ${option} ${word}`, { noun: "value", word }, words);
  }

  #invalidError(option: string, text: string, hint: string): Error {
    const quotedText = text === "" ? "and no value" : JSON.stringify(text.slice(0, 80));
    return this.error(`with ${option} ${quotedText}`, `Pass ${option} with ${hint}`);
  }
}

/** Whether a text is a URL of http or https. */
export function isWebUrl(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? "");
}

/** Numbers from one to another, both included. */
export interface IdRange {
  /** The first. */
  readonly from: number;
  /** The last. */
  readonly to: number;
}

/** The error for words that do not make a command. */
export function usageError(message: string, remedy: string): InputError {
  return new InputError(message, { remedy });
}

/** The error for a word that is none of those known: names the nearest, and all. */
export function unknownWordError(
  message: string,
  { noun, word }: { readonly noun: string; readonly word: string },
  words: readonly string[],
): InputError {
  const nearest = findNearestText(word.toLowerCase(), words);
  const problem = nearest === undefined ? `there is no such ${noun}` : `did you mean ${nearest}?`;
  return usageError(`${message}: ${problem}`, `Pass one of ${words.join(", ")}`);
}

/**
 * A permission that a command may need. Some are given only where the words ask for them: `net` where
 * a deployment or a node is named; `live` also where none is, since the public networks are asked then;
 * `output` where a file to write is named; `page` the same and, with `--open`, to run a program;
 * `native` for a file of Parquet; `temporary` to find the folder of temporary files.
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
  | "temporary";

/** Texts by what they are about, in the order of help. */
export type Texts = Readonly<Record<string, string>>;

/** One command: the whole of its help and completions, and what it does. */
export interface CommandSpec {
  /** Its words: `export`, or `notebook new`. */
  readonly name: string;
  /** What it does, in one line of the list of commands. */
  readonly summary: string;
  /** More about it, in its own help. */
  readonly description?: string;
  /** What its arguments are: `<folder>`, or `[names...]` for any number of them. */
  readonly arguments?: Texts;
  /**
   * What its options do, besides those of every command: `--csv`, `--last <number>`, `--deep [number]`
   * whose value may be left out, `--with <name=file>...` which may be repeated. Completions offer what
   * the value is called: one of several words for `<csv|json>`, paths for `<file>` and `<folder>`.
   */
  readonly options?: Texts;
  /** Options of other commands that would do nothing here, and why: `--settlement`. */
  readonly refusedOptions?: Texts;
  /** What its lines to try do, by the words after `orderlens`; at least one. */
  readonly examples: Texts;
  /** The permissions it needs. */
  readonly permissions: readonly Permission[];
  /** Whether it goes on where it was interrupted, when it is run again. */
  readonly isResumable?: true;
  /** Whether words that it does not know go to another program. */
  readonly passesOn?: true;
  /** Does it. Rooms that it needs are imported here, so that help is quick. */
  run(session: Session, args: Args): Promise<ExitCode>;
}

/** What a command does, in a file that is loaded when it is run. */
export function deferRun(
  load: () => Promise<{ readonly run: CommandSpec["run"] }>,
): CommandSpec["run"] {
  return async (session, args) => await (await load()).run(session, args);
}

/** Options of every command. */
export const COMMON_OPTIONS: Texts = {
  "--json": "print data as JSON",
  "--quiet": "print only warnings and errors to stderr",
  "--verbose": "print more, including stack traces of errors",
};

/** An option or an argument, as its declaration reads. */
export interface Declaration {
  /** Its name: `--last`; empty of an argument. */
  readonly name: string;
  /** What its value is called, such as `number`; `null` if it takes none. */
  readonly value: string | null;
  /** Whether the value may be left out. */
  readonly isOptional: boolean;
  /** Whether there may be several. */
  readonly isRepeated: boolean;
}

/** Reads the declaration of an option, such as `--last <number>`, or of an argument. */
export function parseDeclaration(text: string): Declaration {
  const [, name = "", open, value = null, many, more] =
    /^(--[\w-]+)? ?(?:([<[])(.+?)(\.\.\.)?[>\]](\.\.\.)?)?$/.exec(text) ?? [];
  return { name, value, isOptional: open === "[", isRepeated: (many ?? more) !== undefined };
}

/** All options of a command. */
export function listOptions({ options }: CommandSpec): Texts {
  return { ...options, ...COMMON_OPTIONS };
}

/** What a publisher says of a dataset; kept until something else is said. */
export const ABOUT_OPTIONS: Texts = {
  "--title <text>": "title of the dataset",
  "--license <name>": "license of the dataset, such as CC-BY-4.0",
  "--creator <name>": "publisher of the dataset",
  "--rewards-of <network>": "network whose solver reward rules apply (the dataset's network)",
};

/** The values of these options. */
export function readAbout(args: Args) {
  return {
    title: args.text("--title"),
    license: args.text("--license"),
    creator: args.text("--creator"),
    rewardsOf: readNetworkName(args, "--rewards-of"),
  };
}

/** The network that an option names. */
export function readNetworkName(args: Args, option: string): NetworkName | undefined {
  const name = args.text(option);
  if (name === undefined || isNetworkName(name)) return name;
  throw args.error(`with ${option} ${name}`, "Pass a public network, such as mainnet");
}

/** Formats that tables are written in. */
export const FORMATS = ["parquet", "csv", "ndjson", "sqlite"] as const;

/** A format that tables are written in. */
export type Format = typeof FORMATS[number];

/** Environments of a public network. */
export const ENVIRONMENTS = ["production", "staging"] as const;

/** What the auctions of an export are found by. */
export const WALKS = ["ids", "settlements"] as const;

/** Environment variable with the key of a partner. */
export const KEY_VARIABLE = "ORDERLENS_API_KEY";

/** Environment variable with the URL of a node. */
export const RPC_VARIABLE = "ORDERLENS_RPC_URL";

/** Environment variable with the secret that webhooks are signed with. */
export const WEBHOOK_VARIABLE = "ORDERLENS_WEBHOOK_SECRET";

/** Options that say which deployment is queried. */
export const TARGET_OPTIONS: Texts = {
  "--network <network>": "query a public network",
  [`--env <${ENVIRONMENTS.join("|")}>`]: "deployment of the network (production)",
  "--url <url>": "query another deployment",
  "--chain-id <number>": "chain ID of --url",
  "--settlement <address>": "its settlement contract (the one of the public networks)",
  "--recording <recording>": "read a recording: a shipped one, a file, or a folder",
  "--sandbox <seed>": "query an in-process order book with a simulated market",
  "--api-key-file <file>": `file with a partner's API key (or set ${KEY_VARIABLE})`,
};

/** Options that say which node is queried. */
export const NODE_OPTIONS: Texts = {
  "--rpc-url <url>": `URL of a node (if it contains a key, set ${RPC_VARIABLE} instead)`,
  "--rpc-url-file <file>": "file with the URL of a node",
};

/**
 * Names of the tables of a dataset, for completions: the tables themselves bring polars, which needs
 * permissions and time. A test compares them.
 */
export const TABLE_NAMES: readonly string[] = [
  "auctions",
  "solutions",
  "solution_orders",
  "reference_scores",
  "orders",
  "trades",
  "protocol_fees",
  "executions",
  "order_events",
  "app_data",
  "tokens",
  "native_prices",
  "order_listings",
  "blocks",
  "settlements",
  "imbalances",
  "chain_differences",
  "fills",
  "fees",
  "bids",
  "outcomes",
  "attempts",
  "fair_gain",
  "lifecycle",
  "rewards",
  "auction_rewards",
];
