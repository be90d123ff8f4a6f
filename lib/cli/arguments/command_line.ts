import { InputError } from "../../errors/mod.ts";
import { findNearestText } from "../../errors/orderlens_error.ts";
import type { CowPrice } from "../../metrics/mod.ts";
import { isNetworkName } from "../../networks/explorer_url.ts";
import type { NetworkName } from "../../networks/network.ts";
import { parseIdentifier } from "../../networks/identifier.ts";
import type { ExitCode } from "../terminal/io.ts";
import type { Session } from "../terminal/session.ts";

const WHOLE_NUMBER = /^\d{1,15}$/;
const RANGE = /^(\d{1,15})\.\.(\d{0,15})$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The parsed command line of one command; values are read by option name. */
export class Args {
  /** Name of the command. */
  readonly command: string;
  /** Arguments of the command. */
  readonly words: readonly string[];
  /** All words after the command's name, as written. */
  readonly raw: readonly string[];
  readonly #values: ReadonlyMap<string, readonly string[]>;

  /** Takes the arguments, and the values of options by name; flags have none. */
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

  /** Start of an error message: `Cannot run export`. */
  get cannot(): string {
    return `Cannot run ${this.command}`;
  }

  /** Creates a usage error, for a problem such as `without a deployment`. */
  error(problem: string, remedy: string): InputError {
    return usageError(`${this.cannot} ${problem}`, remedy);
  }

  /** Returns a required argument; the parser has checked that it exists. */
  word(index: number): string {
    return this.words[index] ?? "";
  }

  /** Whether an option was passed, with or without a value. */
  has(option: string): boolean {
    return this.#values.has(option);
  }

  /** Returns the values of a repeatable option. */
  texts(option: string): readonly string[] {
    return this.#values.get(option) ?? [];
  }

  /** Returns the value of an option; `undefined` if it was not passed. */
  text(option: string): string | undefined {
    const value = this.texts(option).at(-1);
    if (value === "") throw this.#invalidError(option, value, "a value");
    return value;
  }

  /** Reads a whole number. */
  whole(option: string, min = 0): number | undefined {
    const text = this.text(option);
    if (text === undefined) return undefined;
    if (WHOLE_NUMBER.test(text) && Number(text) >= min) return Number(text);
    throw this.#invalidError(option, text, `a whole number of at least ${min}`);
  }

  /** Reads a range written as `A..B`. */
  range(option: string): IdRange | undefined {
    const range = this.openRange(option);
    if (range === undefined) return undefined;
    if (range.to !== undefined) return { from: range.from, to: range.to };
    throw this.#invalidError(option, this.text(option) ?? "", "both ends, such as 2620..2624");
  }

  /** Reads a range written as `A..B`, or `A..` without an end. */
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

  /** Reads a date, or a time with its offset, as written. */
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

  /** Reads an address in any spelling, as `0x` and lower-case digits. */
  address(option: string): string | undefined {
    const text = this.text(option);
    if (text === undefined) return text;
    const identifier = parseIdentifier(text);
    if (identifier?.kind === "account") return identifier.key;
    throw this.error(`with ${option} ${text}: it is not an address`, "Pass 0x and 40 hex digits");
  }

  /** Reads an http or https URL. It may contain a secret, so errors do not show it. */
  url(option: string, example: string): string | undefined {
    const text = this.text(option);
    if (text === undefined || isWebUrl(text)) return text;
    throw this.error(
      `with ${option}: it is not an http or https URL`,
      `Pass one with its scheme, such as ${example}`,
    );
  }

  /** Reads one of several words. */
  choice<const Word extends string>(option: string, words: readonly Word[]): Word | undefined {
    const word = this.text(option);
    return word === undefined ? undefined : this.#requireWord(option, word, words);
  }

  /** Reads words of a list, separated by commas. */
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

/** Whether a text is an http or https URL. */
export function isWebUrl(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? "");
}

/** A range of ids, both ends included. */
export interface IdRange {
  /** The first. */
  readonly from: number;
  /** The last. */
  readonly to: number;
}

/** Creates the error for an invalid command line. */
export function usageError(message: string, remedy: string): InputError {
  return new InputError(message, { remedy });
}

/** Creates the error for an unknown word; names the nearest word, and all. */
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
 * A permission that a command may need. Some are granted only if the command line needs them: `net` if
 * a deployment or a node is named; `live` also if none is, since the public networks are queried then;
 * `output` if a file to write is named; `page` the same and, with `--open`, to run a program;
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

/** Help texts by argument, option or example, in the order of help. */
export type Texts = Readonly<Record<string, string>>;

/** A command: its help, its completions, and its action. */
export interface CommandSpec {
  /** Its words: `export`, or `notebook new`. */
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** Further sentences for its own help. */
  readonly description?: string;
  /** Arguments by declaration: `<folder>`, or `[names...]` for any number of them. */
  readonly arguments?: Texts;
  /**
   * Options by declaration, in addition to those of every command: `--csv`, `--last <number>`, `--deep [number]`
   * whose value is optional, `--with <name=file>...` which is repeatable. Completions follow the name of
   * the value: one of several words for `<csv|json>`, paths for `<file>` and `<folder>`.
   */
  readonly options?: Texts;
  /** Options of other commands that would have no effect here, with the reason: `--settlement`. */
  readonly refusedOptions?: Texts;
  /** Examples by the words after `orderlens`, with what each does; at least one. */
  readonly examples: Texts;
  /** The permissions it needs. */
  readonly permissions: readonly Permission[];
  /** Whether the same command resumes after an interruption. */
  readonly isResumable?: true;
  /** Whether all words are passed to another program. */
  readonly passesOn?: true;
  /** Runs the command. It imports the rooms that it needs, so that help is quick. */
  run(session: Session, args: Args): Promise<ExitCode>;
}

/** Loads the action of a command only when it is run. */
export function deferRun(load: () => Promise<CommandSpec["run"]>): CommandSpec["run"] {
  return async (session, args) => await (await load())(session, args);
}

/** Options of every command. */
export const COMMON_OPTIONS: Texts = {
  "--json": "print data as JSON",
  "--quiet": "print only warnings and errors to stderr",
  "--verbose": "print more, including stack traces of errors",
};

/** A parsed declaration of an option or an argument. */
export interface Declaration {
  /** Name such as `--last`; empty for an argument. */
  readonly name: string;
  /** Name of its value, such as `number`; `null` if it takes none. */
  readonly value: string | null;
  /** Whether the value is optional. */
  readonly isOptional: boolean;
  /** Whether it may be repeated. */
  readonly isRepeated: boolean;
}

/** Parses the declaration of an option, such as `--last <number>`, or of an argument. */
export function parseDeclaration(text: string): Declaration {
  const [, name = "", open, value = null, many, more] =
    /^(--[\w-]+)? ?(?:([<[])(.+?)(\.\.\.)?[>\]](\.\.\.)?)?$/.exec(text) ?? [];
  return { name, value, isOptional: open === "[", isRepeated: (many ?? more) !== undefined };
}

/** Lists all options of a command. */
export function listOptions({ options }: CommandSpec): Texts {
  return { ...options, ...COMMON_OPTIONS };
}

/** Options for what rewards are computed by. */
export const REWARD_OPTIONS: Texts = {
  "--rewards-of <network>": "network whose solver reward rules apply (the dataset's network)",
  "--cow-price <price>":
    "native atoms for one COW, or native tokens with a point, such as 0.0000631@SOURCE; or a CSV or " +
    "JSON file of week, native_atoms or native_tokens, source (unknown)",
};

/** Options for the metadata of a dataset; a dataset keeps them until they are changed. */
export const ABOUT_OPTIONS: Texts = {
  "--title <text>": "title of the dataset",
  "--license <name>": "license of the dataset, such as CC-BY-4.0",
  "--creator <name>": "publisher of the dataset",
  ...REWARD_OPTIONS,
};

/** Reads the metadata options. */
export async function readAbout(args: Args) {
  return {
    title: args.text("--title"),
    license: args.text("--license"),
    creator: args.text("--creator"),
    ...await readRewardTerms(args),
  };
}

/** Reads the options for what rewards are computed by. */
export async function readRewardTerms(args: Args) {
  return {
    rewardsOf: readNetworkName(args, "--rewards-of"),
    cowPrice: await readCowPrice(args, "--cow-price"),
  };
}

/** Reads a price of COW, with its source, or a file of prices. */
async function readCowPrice(args: Args, option: string): Promise<CowPrice[] | undefined> {
  const text = args.text(option);
  if (text === undefined) return undefined;
  const { parseCowPrice, readCowPrices } = await import("../../tables/rewards/cow_prices.ts");
  if (/^[^@]*\.(csv|json)$/i.test(text)) return await readCowPrices(text);
  const price = parseCowPrice(text);
  if (price !== null) return [price];
  throw args.error(
    `with ${option} ${JSON.stringify(text.slice(0, 80))}`,
    `Pass ${option} with native atoms for one COW above 0, such as 63100000000000@SOURCE, with ` +
      "native tokens, such as 0.0000631@SOURCE, the source in one line, or with a CSV or JSON file",
  );
}

/** Reads the network that an option names. */
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

/** Values of `--discover-by`. */
export const WALKS = ["ids", "settlements"] as const;

/** Environment variable with the API key of a partner. */
export const KEY_VARIABLE = "ORDERLENS_API_KEY";

/** Environment variable with the URL of a node. */
export const RPC_VARIABLE = "ORDERLENS_RPC_URL";

/** Environment variable with the secret that webhooks are signed with. */
export const WEBHOOK_VARIABLE = "ORDERLENS_WEBHOOK_SECRET";

/** Options that name a deployment. */
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

/** Options that name a node. */
export const NODE_OPTIONS: Texts = {
  "--rpc-url <url>": `URL of a node (if it contains a key, set ${RPC_VARIABLE} instead)`,
  "--rpc-url-file <file>": "file with the URL of a node",
};

/**
 * Names of the tables of a dataset, for completions: importing the tables loads polars, which needs
 * permissions and time. A test keeps the two equal.
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
  "settlement_slippage",
  "fills",
  "fees",
  "bids",
  "outcomes",
  "attempts",
  "fair_gain",
  "lifecycle",
  "rewards",
  "auction_rewards",
  "instances",
  "instance_orders",
];
