import { InputError } from "../errors/mod.ts";
import { nearestText } from "../errors/nearest_text.ts";
import { quoted } from "../errors/require_known.ts";
import type { NetworkName } from "./network.ts";
import { NETWORKS } from "./networks.ts";

/** Other common names of networks, in `lower_case_with_underscores`. */
const ALIASES: Readonly<Record<string, NetworkName>> = {
  eth: "mainnet",
  ethereum: "mainnet",
  ethereum_mainnet: "mainnet",
  main: "mainnet",
  gc: "xdai",
  gno: "xdai",
  gnosis: "xdai",
  gnosis_chain: "xdai",
  gnosischain: "xdai",
  arb: "arbitrum_one",
  arb1: "arbitrum_one",
  arbitrum: "arbitrum_one",
  arbitrumone: "arbitrum_one",
  avax: "avalanche",
  avalanche_c: "avalanche",
  matic: "polygon",
  pol: "polygon",
  binance: "bnb",
  bnb_chain: "bnb",
  bnb_smart_chain: "bnb",
  bsc: "bnb",
};

/**
 * Whether a text is the name of a public deployment.
 *
 * @example A name, and a common alias
 * ```ts
 * import { isNetworkName } from "orderlens/networks";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(isNetworkName("xdai"), true);
 * assertEquals(isNetworkName("gnosis"), false);
 * ```
 */
export function isNetworkName(text: string): text is NetworkName {
  return Object.hasOwn(NETWORKS, text);
}

/**
 * Parses a network name typed by a person.
 *
 * Aliases, other letter cases and chain ids are rejected with the name to use, so that every
 * network has one name in files and programs.
 *
 * @param text Any text.
 * @returns The same text, typed as a name.
 * @throws {InputError} If the network is unknown; names the nearest one.
 *
 * @example A typo
 * ```ts
 * import { InputError } from "orderlens";
 * import { parseNetworkName } from "orderlens/networks";
 * import { assertEquals, assertThrows } from "@std/assert";
 *
 * assertEquals(parseNetworkName("mainnet"), "mainnet");
 * assertThrows(() => parseNetworkName("mainet"), InputError, 'did you mean "mainnet"');
 * ```
 */
export function parseNetworkName(text: string): NetworkName {
  if (isNetworkName(text)) return text;
  const value: unknown = text;
  const isLong = typeof value === "string" && value.length > 80;
  const shown = quoted(value).replace(/"$/, isLong ? '…"' : '"');
  const names = Object.keys(NETWORKS).join(", ");
  const isId = typeof value === "number" || typeof value === "bigint";
  const meant = isId || typeof value === "string" ? suggest(`${value}`) : undefined;
  if (meant === undefined) {
    throw new InputError(`Cannot find a network named ${shown}`, {
      remedy: `Pass one of ${names}`,
    });
  }
  const { label, chainId } = NETWORKS[meant];
  throw new InputError(
    `Cannot find a network named ${shown}: ` +
      `did you mean "${meant}" (${label}, chain id ${chainId})?`,
    { remedy: `Pass "${meant}", or another of ${names}` },
  );
}

function suggest(text: string): NetworkName | undefined {
  const plain = text.trim().toLowerCase().replaceAll(/[\s-]+/g, "_");
  const meanings = new Map<string, NetworkName>();
  for (const { name, chainId } of Object.values(NETWORKS)) {
    meanings.set(name, name);
    if (plain === `${chainId}`) return name;
  }
  for (const [alias, name] of Object.entries(ALIASES)) meanings.set(alias, name);
  const exact = meanings.get(plain);
  if (exact !== undefined) return exact;
  const nearest = nearestText(plain, meanings.keys());
  return nearest === undefined ? undefined : meanings.get(nearest);
}
