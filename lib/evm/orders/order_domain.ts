import { InputError } from "../../errors/mod.ts";
import { isWhole } from "../../errors/option_rules.ts";
import { hexBytes, hexOf } from "../hex_bytes.ts";

/** The EIP-712 domain for orders of one deployment; wallets accept it unchanged. */
export interface OrderDomain {
  /** Always `"Gnosis Protocol"`, the name the settlement contract was deployed with. */
  readonly name: "Gnosis Protocol";
  /** Always `"v2"`. */
  readonly version: "v2";
  /** Chain id of the network. */
  readonly chainId: number;
  /** Settlement contract of the deployment, in lower case. */
  readonly verifyingContract: string;
}

/** What distinguishes the signatures of one deployment from those of another. */
export interface OrderDomainOptions {
  /** Chain id of the network, at least 1. */
  chainId: number;
  /**
   * Address of the settlement contract; current order bodies name theirs in `settlementContract`.
   */
  settlementContract: string;
}

const SETTLEMENT_CONTRACT = { what: "the settlementContract of a domain", bytes: 20 };

/**
 * The EIP-712 domain of a deployment: chain and settlement contract.
 *
 * Staging and production can have different settlement contracts on the same chain, so use the
 * order's own `settlementContract` if it has one.
 *
 * @param options `chainId` of the network and address of the settlement contract.
 * @returns A frozen domain; create it once and use it for all orders of the deployment.
 * @throws {InputError} If the chain id is not a positive whole number, or the address not 20 bytes
 *   of hex.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/model/src/lib.rs | DomainSeparator in the service}
 *
 * @example
 * ```ts
 * import { orderDomain } from "orderlens/evm";
 * import { assertEquals } from "@std/assert";
 *
 * const domain = orderDomain({
 *   chainId: 100,
 *   settlementContract: "0x9008D19f58AAbD9eD0D60971565AA8510560ab41",
 * });
 *
 * assertEquals(domain, {
 *   name: "Gnosis Protocol",
 *   version: "v2",
 *   chainId: 100,
 *   verifyingContract: "0x9008d19f58aabd9ed0d60971565aa8510560ab41",
 * });
 * ```
 */
export function orderDomain(options: OrderDomainOptions): OrderDomain {
  const { chainId, settlementContract } = options;
  if (!isWhole(chainId, 1)) {
    throw new InputError(`Cannot use ${chainId} as a chain id`, {
      remedy: "Pass the network's chain id as a number, such as 1 for Ethereum",
    });
  }
  return Object.freeze({
    name: "Gnosis Protocol",
    version: "v2",
    chainId,
    verifyingContract: hexOf(hexBytes(settlementContract, SETTLEMENT_CONTRACT)),
  });
}
