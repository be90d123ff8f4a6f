import type { CallOptions } from "../../endpoints/mod.ts";
import { type OptionRules, rule, SIGNAL } from "../../errors/option_rules.ts";
import type { NodeSource } from "../../evm/mod.ts";

/** Options of reports about auctions and transactions. */
export interface InspectNounOptions extends CallOptions {
  /** A node, for the times of blocks: its URL, a recording or the sandbox. @default {none} */
  node?: NodeSource | undefined;
  /** Names of solvers by address, which come before those that ship. @default {none} */
  solvers?: ReadonlyMap<string, string> | undefined;
}

/** Allowed values of the {@linkcode InspectNounOptions}. */
export const INSPECT_NOUN_OPTIONS: OptionRules<InspectNounOptions> = {
  node: rule("the URL of a node, a recording or a sandbox", (node) => node !== null),
  solvers: rule("a Map of names by address", (solvers) => solvers instanceof Map),
  signal: SIGNAL,
};

/** A count with its noun: `1 order`, `2 orders`. */
export function counted(count: number, one: string, many: string = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
