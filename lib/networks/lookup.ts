import { InputError } from "../errors/mod.ts";
import type { Network, NetworkName } from "./network.ts";
import { NETWORKS } from "./networks.ts";
import { parseNetworkName } from "./parse_network_name.ts";

/**
 * Returns the facts of a public deployment.
 *
 * @param name A name of {@linkcode NetworkName}; the compiler rejects any other.
 * @throws {InputError} If the network is unknown (where types are not checked); names the nearest
 * one.
 *
 * @example The wrapped native token of Gnosis Chain
 * ```ts
 * import { network } from "orderlens";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(network("xdai").wrappedNativeToken.symbol, "WXDAI");
 * ```
 */
export function network(name: NetworkName): Network {
  return NETWORKS[parseNetworkName(name)];
}

/**
 * Returns the facts of the public deployment on a chain.
 *
 * @param chainId Chain id, as in an order's EIP-712 domain.
 * @throws {InputError} If the chain has no public deployment.
 *
 * @example By the id of Arbitrum One
 * ```ts
 * import { networkByChainId } from "orderlens/networks";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(networkByChainId(42161).name, "arbitrum_one");
 * ```
 */
export function networkByChainId(chainId: number): Network {
  const found = Object.values(NETWORKS).find((candidate) => candidate.chainId === chainId);
  if (found === undefined) {
    const known = Object.values(NETWORKS)
      .map((candidate) => `${candidate.chainId} (${candidate.name})`);
    throw new InputError(`Cannot find a network with chain id ${chainId}`, {
      remedy: `Pass one of ${known.join(", ")}`,
    });
  }
  return found;
}
