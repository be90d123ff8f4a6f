import { InputError } from "../../errors/mod.ts";
import { type OptionRule, rule } from "../../errors/option_rules.ts";
import { agreedSolverName } from "../../networks/solvers.ts";
import type { Competition } from "../../schemas/mod.ts";
import { HexMap, sameHex } from "../../units/mod.ts";

/** A solver with its name, as listed in the deployment files of recordings. */
export interface NamedSolver {
  /** Address that it submits from. */
  readonly address: string;
  /** Its name. */
  readonly name: string;
}

/**
 * Names of solvers: a `Map` or any iterable of pairs, an iterable of `{ address, name }`, or an
 * object; addresses in any letter case.
 */
export type SolverNames =
  | Iterable<NamedSolver | readonly [address: string, name: string]>
  | Readonly<Record<string, string>>;

/** What else is known about solvers. */
export interface SolverOptions {
  /** Names of solvers by address; they take precedence over those of `data/solvers.json`. */
  solvers?: SolverNames;
  /**
   * The network of the solvers, such as `mainnet`; `local` is the network of the shipped
   * recordings. @default {any, if all networks that list the address agree}
   */
  network?: string;
}

/** Allowed values of {@linkcode SolverNames}. */
export const SOLVER_NAMES: OptionRule<SolverNames> = rule(
  "a Map or an object of names by address, or an array of { address, name },",
  isSolverNames,
);

/** Names of solvers, for one table. */
export class NameLookup {
  readonly #own: HexMap<string>;
  readonly #network: string | undefined;
  readonly #known = new Map<string, string | null>();

  /**
   * Reads names from the options.
   *
   * @throws {InputError} If the option `solvers` holds something other than addresses and names.
   */
  constructor({ solvers, network }: SolverOptions = {}) {
    this.#own = namesByAddress(solvers);
    this.#network = network;
  }

  /** The name of a solver; `null` without an address, or if the name is unknown. */
  name(address: string | null | undefined): string | null {
    if (address === null || address === undefined) return null;
    let name = this.#known.get(address);
    if (name === undefined) {
      name = this.#own.get(address) ?? agreedSolverName(address, this.#network);
      this.#known.set(address, name);
    }
    return name;
  }
}

function namesByAddress(solvers: SolverNames | undefined): HexMap<string> {
  const names = new HexMap<string>();
  if (solvers === undefined) return names;
  const entries: Iterable<unknown> = isIterable(solvers) ? solvers : Object.entries(solvers);
  for (const entry of entries) {
    const [address, name] = pairOf(entry);
    if (!isAddress(address) || !isName(name)) throw refusal(entry);
    names.set(address, name);
  }
  return names;
}

function pairOf(entry: unknown): readonly unknown[] {
  if (Array.isArray(entry)) return entry;
  return [Reflect.get(Object(entry), "address"), Reflect.get(Object(entry), "name")];
}

function isSolverNames(value: unknown): boolean {
  if (typeof value !== "object" || value === null || value instanceof Promise) return false;
  if (Array.isArray(value)) return value.every((one) => typeof one === "object" && one !== null);
  if (isIterable(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function isIterable(value: object): value is Iterable<unknown> {
  return typeof Reflect.get(value, Symbol.iterator) === "function";
}

function isAddress(value: unknown): value is string {
  return typeof value === "string" && /^0x[0-9a-f]{40}$/i.test(value);
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

function refusal(entry: unknown): InputError {
  const shown = JSON.stringify(entry)?.slice(0, 80);
  return new InputError(`Cannot read the name of a solver from ${shown}`, {
    remedy: "Pass each solver as an address, 0x and 40 hex digits, with a name",
  });
}

/**
 * Address of the solver that settled a fill: that of the winning solution with its transaction,
 * otherwise of the one with its order.
 *
 * @returns `null` if there is neither.
 */
export function settledBy(
  fill: { readonly orderUid: string; readonly txHash: string | null },
  competition: Competition | undefined,
): string | null {
  const winners = competition?.solutions.filter(({ isWinner }) => isWinner) ?? [];
  const { orderUid, txHash } = fill;
  const settled =
    winners.find((one) => txHash !== null && one.txHash != null && sameHex(one.txHash, txHash)) ??
      winners.find(({ orders }) => orders.some(({ id }) => sameHex(id, orderUid)));
  return settled?.solverAddress ?? null;
}
