import { shortHex } from "./short_hex.ts";
import { shortName, shortNames } from "./short_names.ts";

/** A solver's address with its name: `null`, absent or empty where that is not known. */
export type SolverEntry = readonly [
  address: string | null | undefined,
  name: string | null | undefined,
];

/** How many characters of a name stand before the address that tells it apart. */
const MOST_SHARED = 20;

/**
 * What the solvers of one chart are called: by name where it is known, else by address. A name that
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
      const text = typeof name === "string" ? shortHex(name) : "";
      if (text !== "" && !this.#names.has(address)) this.#names.set(address, text);
    }
    const used = Map.groupBy(addresses, (address) => this.#names.get(address) ?? address);
    for (const [text, alike] of used) if (alike.length > 1) this.#shared.add(text);
  }

  /** The name of a solver and, where others share it, its address; the address without a name. */
  text(address: string): string {
    const name = this.#names.get(address);
    if (name === undefined) return address;
    if (!this.#shared.has(name)) return name;
    const letters = [...name];
    const cut = letters.length <= MOST_SHARED
      ? name
      : `${letters.slice(0, MOST_SHARED - 1).join("")}…`;
    return `${cut} ${shortHex(address)}`;
  }

  /** Labels for a list, cut so that different solvers have different ones. */
  labels(addresses: readonly string[]): string[] {
    const texts = shortNames(addresses.map((address) => this.text(address)));
    const seen = new Map<string, string[]>();
    return texts.map((text, at) => {
      const alike = seen.get(text) ?? [];
      seen.set(text, alike);
      const address = addresses[at]!;
      if (!alike.includes(address)) alike.push(address);
      const number = alike.indexOf(address) + 1;
      return number === 1 ? text : `${text} (${number})`;
    });
  }

  /** One label, cut as for a list. */
  label(address: string): string {
    return shortName(this.text(address));
  }

  /** The name with the whole address, for tooltips; the address alone without a name. */
  withAddress(address: string): string {
    const name = this.#names.get(address);
    return name === undefined || name === address ? address : `${name} (${address})`;
  }

  /** The name with the ends of the address, for tooltips; the ends alone without a name. */
  withHex(address: string): string {
    const name = this.#names.get(address);
    const hex = shortHex(address);
    return name === undefined || name === address ? hex : `${name} (${hex})`;
  }
}

/** The names of the solvers of some rows. */
export function solverNames(
  rows: readonly {
    readonly solver?: string | null | undefined;
    readonly solver_name?: string | null | undefined;
  }[],
): SolverNames {
  return new SolverNames(rows.map((row) => [row.solver, row.solver_name]));
}
