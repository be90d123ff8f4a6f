import facts from "../../data/solvers.json" with { type: "json" };
import { InputError } from "../errors/mod.ts";
import { describeValue } from "../errors/option_rules.ts";
import { parseNetworkName } from "./explorer_url.ts";
import { freeze, type NetworkName } from "./network.ts";

/** A network of `data/solvers.json`; Lens has no entry in `NETWORKS`. */
export type SolverNetwork = NetworkName | "lens";

/**
 * Purpose of an account in the list of solvers: solving in production or in staging, withdrawing
 * fees (`"service"`), or a test.
 */
export type SolverEnvironment = "production" | "staging" | "service" | "test";

/** One account that may settle on one network, and its operator. */
export interface Solver {
  /** The network. */
  readonly network: SolverNetwork;
  /** Address that it submits from, `0x` and 40 lower-case hex digits. */
  readonly address: string;
  /** Name, as in its source; several addresses can share it. */
  readonly name: string;
  /** Its purpose. */
  readonly environment: SolverEnvironment;
}

const ENVIRONMENTS: Readonly<Record<string, SolverEnvironment>> = {
  prod: "production",
  barn: "staging",
  service: "service",
  test: "test",
};

const ADDRESS = /^0x[0-9a-f]{40}$/i;

/**
 * The solvers that ship, as in `data/solvers.json`; frozen.
 *
 * @example The accounts of one solver on one network
 * ```ts
 * import { SOLVERS } from "orderlens/networks";
 * import { assertEquals } from "@std/assert";
 *
 * const own = SOLVERS.filter(({ network, name }) => network === "ink" && name === "Baseline");
 *
 * assertEquals(own.map(({ environment }) => environment).sort(), ["production", "staging"]);
 * ```
 */
export const SOLVERS: readonly Solver[] = freeze(
  Object.entries(facts.solvers).flatMap(([network, solvers]) =>
    solvers.map(({ address, environment, name }): Solver => ({
      network: network as SolverNetwork,
      address,
      name,
      environment: ENVIRONMENTS[environment]!,
    }))
  ),
);

const byAddress = Map.groupBy(SOLVERS, ({ address }) => address);

/**
 * Looks up a solver by its address.
 *
 * The list is a snapshot of 2026-08 (`data/solvers.json` names its source), so a renamed solver has
 * its new name in old auctions too.
 *
 * @param network The network; an account can belong to different solvers on different networks.
 * @param address Address in any letter case.
 * @returns `null` if the list does not have the address.
 * @throws {InputError} If the network is unknown, or `address` is not an address.
 *
 * @example Who won an auction of Arbitrum One
 * ```ts
 * import { solver } from "orderlens/networks";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(solver("arbitrum_one", "0x9CF49541F8B94DA501CD16B60FA176D856FB1E75"), {
 *   network: "arbitrum_one",
 *   address: "0x9cf49541f8b94da501cd16b60fa176d856fb1e75",
 *   name: "Sector_Finance",
 *   environment: "production",
 * });
 * ```
 */
export function solver(network: SolverNetwork, address: string): Solver | null {
  const name = network === "lens" ? network : parseNetworkName(network);
  if (typeof address !== "string" || !ADDRESS.test(address)) {
    throw new InputError(`Cannot look up a solver at ${describeValue(address)}`, {
      remedy: "Pass the address that it submits from, 0x and 40 hex digits",
    });
  }
  return byAddress.get(address.toLowerCase())?.find((entry) => entry.network === name) ?? null;
}

/**
 * Returns the name of a solver, as tables and charts show it.
 *
 * Names of production accounts are unchanged. Others state their purpose in brackets, since a
 * solver has the same name in staging: `Baseline (staging)`, `Withdraw (service)`.
 *
 * @param network The network.
 * @param address Address in any letter case.
 * @returns `null` if the list does not have the address.
 * @throws {InputError} If the network is unknown, or `address` is not an address.
 *
 * @example The same solver in production and in staging
 * ```ts
 * import { solverName } from "orderlens/networks";
 * import { assertEquals } from "@std/assert";
 *
 * const production = "0x833f076d182123ca8dde2743045ea02957bd61ef";
 * const staging = "0x01246d541e732d7f15d164331711edff217e4665";
 *
 * assertEquals(solverName("mainnet", production), "Baseline");
 * assertEquals(solverName("mainnet", staging), "Baseline (staging)");
 * assertEquals(solverName("xdai", staging), null);
 * ```
 */
export function solverName(network: SolverNetwork, address: string): string | null {
  const entry = solver(network, address);
  return entry === null ? null : formatName(entry);
}

/**
 * Finds the name of a solver on which all networks that list the address agree.
 *
 * @param address Any text, in any letter case.
 * @param network The network to search; every network when `undefined`.
 * @returns `null` if the address is unknown or networks disagree: never a guess.
 */
export function findAgreedSolverName(address: string, network: string | undefined): string | null {
  const solvers = byAddress.get(address.toLowerCase()) ?? [];
  const here = network === undefined
    ? solvers
    : solvers.filter((entry) => entry.network === network);
  const names = new Set(here.map(formatName));
  return names.size === 1 ? [...names][0]! : null;
}

function formatName({ name, environment }: Solver): string {
  return environment === "production" ? name : `${name} (${environment})`;
}
