import { formatPair, splitPair } from "./label_text.ts";

const MAX_CHARACTERS = 32;
const CUT_CHARACTERS = 30;
/** Number of shared characters before the first that differs. */
const CONTEXT = 12;

/** Maximum length of a token in a pair, so that pairs are no longer than other names. */
const MAX_TOKEN = 14;

/**
 * An address cut to its ends, such as `0x1234…cdef`; a longer name too, to 32 characters, on one
 * line. Each token of a directed pair is cut to 14 characters.
 */
export function shortenName(name: string): string {
  const text = shortenHex(name);
  const tokens = splitPair(text);
  if (tokens === null || [...text].length <= MAX_CHARACTERS) {
    return cutMiddle(text, MAX_CHARACTERS);
  }
  const [sellToken, buyToken] = tokens.map((token) => cutMiddle(token, MAX_TOKEN));
  return formatPair(sellToken!, buyToken!);
}

function cutMiddle(text: string, maxLength: number): string {
  const characters = [...shortenHex(text)];
  if (characters.length <= maxLength) return characters.join("");
  const headLength = Math.floor(maxLength / 2);
  return `${characters.slice(0, headLength).join("")}…` +
    `${characters.slice(1 + headLength - maxLength).join("")}`;
}

/**
 * Cuts names as {@linkcode shortenName} does. Different names that would become equal are cut around the
 * first character in which they differ instead, such as `…en name 17 of a very…` (each token of a pair
 * on its own), and numbered where that does not tell them apart either.
 */
export function shortenNames(names: readonly string[]): string[] {
  const labels = new Map<string, string>();
  for (const [label, alike] of Map.groupBy(new Set(names), shortenName)) {
    if (alike.length === 1) labels.set(alike[0]!, label);
    else {
      const distinct = numberDuplicates(alike, disambiguate(alike));
      for (const [index, name] of alike.entries()) labels.set(name, distinct[index]!);
    }
  }
  return names.map((name) => labels.get(name) ?? name);
}

/** Extends shortened labels until they are unique. */
function disambiguate(names: readonly string[]): string[] {
  const pairs = names.map((name) => splitPair(shortenHex(name)));
  if (!pairs.every((tokens) => tokens !== null)) return cutAroundDifference(names, CUT_CHARACTERS);
  const [sellToken, buyToken] = ([0, 1] as const).map((side) => {
    const sideTokens = pairs.map((tokens) => tokens[side]);
    const tokens = [...new Set(sideTokens)];
    const cut = tokens.length === 1
      ? [cutMiddle(tokens[0]!, MAX_TOKEN)]
      : cutAroundDifference(tokens, MAX_TOKEN);
    return sideTokens.map((token) => cut[tokens.indexOf(token)]!);
  });
  return names.map((_, index) => formatPair(sellToken![index]!, buyToken![index]!));
}

/** Cuts names to begin a little before the first character in which they differ. */
function cutAroundDifference(names: readonly string[], maxLength: number): string[] {
  const context = Math.min(CONTEXT, Math.round(maxLength * 0.4));
  const start = Math.max(0, countSharedPrefix(names) - context);
  return names.map((name) => {
    const tail = [...name].slice(start);
    const middle = tail.length <= maxLength ? tail : [...tail.slice(0, maxLength - 1), "…"];
    return shortenHex(`${start > 0 ? "…" : ""}${middle.join("")}`);
  });
}

/** Numbers equal labels of different keys: the second is `label (2)`. */
function numberDuplicates(keys: readonly string[], labels: readonly string[]): string[] {
  const keysByLabel = new Map<string, string[]>();
  return labels.map((label, index) => {
    const alike = keysByLabel.get(label) ?? [];
    keysByLabel.set(label, alike);
    const key = keys[index]!;
    if (!alike.includes(key)) alike.push(key);
    const number = alike.indexOf(key) + 1;
    return number === 1 ? label : `${label} (${number})`;
  });
}

function countSharedPrefix(names: readonly string[]): number {
  const [first = [], ...otherNames] = names.map((name) => [...name]);
  const end = first.findIndex((character, index) =>
    otherNames.some((otherName) => otherName[index] !== character)
  );
  return end === -1 ? first.length : end;
}

/**
 * An address, hash or UID cut to its ends, such as `0x1234…cdef`; other text as it is, on one line.
 */
export function shortenHex(hex: string): string {
  // Rows are unchecked data: a number may come where a text is expected.
  const text = String(hex);
  if (/^0x[0-9a-fA-F]{12,}$/.test(text)) return `${text.slice(0, 6)}…${text.slice(-4)}`;
  return text.replaceAll(/[\s\p{C}]+/gu, " ").trim();
}

/** A solver's address with its name: `null`, absent or empty if unknown. */
type SolverEntry = readonly [
  address: string | null | undefined,
  name: string | null | undefined,
];

/** Maximum number of characters of a name before the address that tells it apart. */
const MAX_SHARED = 20;

/**
 * Names of the solvers of one chart: by name where it is known, else by address. A name that
 * several addresses of the chart share has the ends of the address after it.
 */
export class SolverNames {
  readonly #names = new Map<string, string>();
  readonly #shared = new Set<string>();

  /** Reads the names of all rows of a chart; the first known one of an address counts. */
  constructor(entries: Iterable<SolverEntry>) {
    const addresses = new Set<string>();
    for (const [address, name] of entries) {
      if (typeof address !== "string") continue;
      addresses.add(address);
      const format = typeof name === "string" ? shortenHex(name) : "";
      if (format !== "" && !this.#names.has(address)) this.#names.set(address, format);
    }
    const byText = Map.groupBy(addresses, (address) => this.#names.get(address) ?? address);
    for (const [format, alike] of byText) if (alike.length > 1) this.#shared.add(format);
  }

  /** Returns the name of a solver and, if others share it, its address; the address without a name. */
  format(address: string): string {
    const name = this.#names.get(address);
    if (name === undefined) return address;
    if (!this.#shared.has(name)) return name;
    const letters = [...name];
    const cut = letters.length <= MAX_SHARED
      ? name
      : `${letters.slice(0, MAX_SHARED - 1).join("")}…`;
    return `${cut} ${shortenHex(address)}`;
  }

  /** Formats labels for a list, cut so that different solvers have different ones. */
  formatLabels(addresses: readonly string[]): string[] {
    return numberDuplicates(
      addresses,
      shortenNames(addresses.map((address) => this.format(address))),
    );
  }

  /** Formats one label, cut as for a list. */
  formatLabel(address: string): string {
    return shortenName(this.format(address));
  }

  /** Returns the name with the whole address, for tooltips; the address alone without a name. */
  formatWithAddress(address: string): string {
    const name = this.#names.get(address);
    return name === undefined || name === address ? address : `${name} (${address})`;
  }

  /** Returns the name with the ends of the address, for tooltips; the ends alone without a name. */
  formatWithHex(address: string): string {
    const name = this.#names.get(address);
    const hex = shortenHex(address);
    return name === undefined || name === address ? hex : `${name} (${hex})`;
  }
}

/** Returns the noun for a group by a column: `solver` for `solver_name`. */
export function nameGroup(column: string): string {
  return column.replace(/_name$/, "").replaceAll("_", " ").trim() || "series";
}

export function readSolverNames(
  rows: readonly {
    readonly solver?: string | null | undefined;
    readonly solver_name?: string | null | undefined;
  }[],
): SolverNames {
  return new SolverNames(rows.map((row) => [row.solver, row.solver_name]));
}

const NAMES: Readonly<Record<string, string>> = {
  surplus: "surplus fee",
  volume: "volume fee",
  priceImprovement: "price improvement fee",
  network: "network fee",
};

/** Names the fee of a policy, such as `partner's volume fee`; `fee` where no kind is given. */
export function namePolicy(kind: unknown, isPartner: boolean | null | undefined): string {
  const kindText = typeof kind === "string" ? kind : "";
  const name = Object.hasOwn(NAMES, kindText) ? NAMES[kindText]! : `${kindText} fee`.trim();
  return isPartner === true ? `partner's ${name}` : name;
}
