import { decodeFunctionData } from "viem/utils";
import { InputError } from "../../errors/mod.ts";
import { hexText } from "../hex_bytes.ts";
import { ETHFLOW_ABI } from "./ethflow_abi.ts";

/** An EthFlow order as its trader passes it to the contract. */
export interface EthFlowOrder {
  /** Token to buy, in lower case. */
  readonly buyToken: string;
  /** Receiver of the bought tokens, in lower case; never absent. */
  readonly receiver: string;
  /** Native atoms to sell. */
  readonly sellAmount: bigint;
  /** Limit amount to buy, in buy-token atoms. */
  readonly buyAmount: bigint;
  /** Hash of the app data document. */
  readonly appData: string;
  /** Signed fee, in native atoms; `0n` in current orders. */
  readonly feeAmount: bigint;
  /** Expiry that the trader set, in unix seconds. */
  readonly validTo: number;
  /** Whether the order may be filled in parts. */
  readonly partiallyFillable: boolean;
  /** Quote that it names. */
  readonly quoteId: bigint;
}

/** A call of an EthFlow contract. */
export interface EthFlowCall {
  /** What it does: place an order, or cancel orders and return their funds. */
  readonly action: "create" | "invalidate";
  /** Its orders: one, unless several are cancelled at once. */
  readonly orders: readonly EthFlowOrder[];
}

/**
 * Decodes a call of an EthFlow contract: `createOrder`, `invalidateOrder` and
 * `invalidateOrdersIgnoringNotAllowed`.
 *
 * @param input Calldata of the transaction.
 * @returns The orders; amounts in atoms.
 * @throws {InputError} If it calls another function, or is malformed.
 * @see {@link https://github.com/cowprotocol/ethflowcontract/tree/fd72a5375e12/src/libraries/EthFlowOrder.sol | EthFlowOrder.Data}
 *
 * @example Calldata of something else
 * ```ts
 * import { InputError } from "orderlens";
 * import { decodeEthFlowCall } from "orderlens/evm";
 * import { assertThrows } from "@std/assert";
 *
 * assertThrows(() => decodeEthFlowCall("0x4c84c1c8"), InputError, "no call of an EthFlow contract");
 * ```
 */
export function decodeEthFlowCall(input: string): EthFlowCall {
  const { functionName, args: [passed] } = decoded(input);
  const orders = Array.isArray(passed) ? passed : [passed];
  return {
    action: functionName === "createOrder" ? "create" : "invalidate",
    orders: orders.map((order) => ({
      ...order,
      buyToken: order.buyToken.toLowerCase(),
      receiver: order.receiver.toLowerCase(),
    })),
  };
}

function decoded(input: string) {
  try {
    return decodeFunctionData({ abi: ETHFLOW_ABI, data: hexText(input) });
  } catch (cause) {
    throw new InputError("Cannot decode the calldata: it is no call of an EthFlow contract", {
      facts: { begins: String(input).slice(0, 10) },
      remedy: "Pass the input of a transaction that creates or invalidates EthFlow orders",
      cause,
    });
  }
}
