import { InputError } from "../../errors/mod.ts";
import { checkOptions } from "../../errors/option_rules.ts";
import { computeOrderUid, type SignableOrder } from "../orders/order_digest.ts";
import type { OrderDomain } from "../orders/order_uid.ts";
import type { SignatureFields } from "../orders/request_signature.ts";
import type { SettlementTrade } from "../settlement/decode_settlement.ts";
import { tradeOrderUid } from "../settlement/trade_order_uid.ts";
import {
  type BlockHeader,
  type FundingUnknown,
  fundingUnknown,
  headerCall,
  noSuchBlock,
  readHeader,
  silent,
} from "./block_at.ts";
import { FUNDING_OPTIONS, type FundingOptions } from "./funding_at.ts";
import { CHAIN_ID_CALL, nodeOf, type NodeSource, requireChainIn } from "./node_source.ts";
import { callsAt, CANCELLED, PRE_SIGNED, type StateCall } from "./contract_calls.ts";

/** An order with its signature and its owner, as from the service. */
export interface OwnedOrder extends SignableOrder, SignatureFields {
  /** Its owner, 20 bytes. */
  readonly owner: string;
}

/** Why the settlement contract refuses an order, whatever the prices are. */
export type OrderRefusal = "invalid_signature" | "expired" | "cancelled" | "filled";

/** What the settlement contract makes of an order in the state of one block. */
export interface OrderAt {
  /** The block whose state it is. */
  readonly block: number;
  /** Hash of the block; `null` if the node does not report it. */
  readonly blockHash: string | null;
  /** Timestamp of the block. */
  readonly at: Temporal.Instant;
  /** UID of the order, computed. */
  readonly uid: string;
  /**
   * What the contract counts as filled, in atoms of the token whose amount the order fixes; `null` if
   * the order is cancelled on the chain, which overwrites it. `0n` again once it is freed after expiry.
   */
  readonly filledAtoms: bigint | null;
  /**
   * Whether the contract takes the signature: the owner's for `eip712` and `ethsign`, an approval by
   * the wallet for `eip1271`, one on the chain for `presign`.
   */
  readonly isSignatureValid: boolean;
  /** Why the contract refuses the order; `null` if it settles it at prices within its limit. */
  readonly refusal: OrderRefusal | null;
}

const WANTED = "the state of an order";
const ACTION = `Cannot get ${WANTED}`;
/** What a wallet returns for a valid signature; the contract reads no more of the word. */
const VALID = "0x1626ba7e";

/**
 * What the settlement contract makes of an order in the state of a block: how much is filled, whether
 * it was cancelled on the chain, and whether its signature is valid, for all four schemes.
 *
 * The contract looks at the signature first, then at the expiry, then at what is filled: `refusal` is
 * the first that fails. Funds are in {@linkcode fundingAt}. An order that was cancelled by a signed
 * request is only cancelled at the service: the contract would settle it.
 *
 * @param source A node of the order's network, or an equivalent: its URL, a sandbox. Keys in a URL are
 * never shown.
 * @param domain Chain and settlement contract, from {@linkcode orderDomain}.
 * @param order The order, with `signature`, `signingScheme` and `owner`, as from the service.
 * @param options The block, and options of requests.
 * @returns The state; or why the node does not tell it, as {@linkcode fundingAt} does.
 * @throws {InputError} If a field of the order, `source` or an option is invalid.
 * @throws {MismatchError} If the answers are of another block, or it was replaced meanwhile.
 * @throws {NetworkError} If the node cannot be reached.
 * @throws {TimeoutError} If it times out.
 * @throws {HttpError} If it returns an invalid answer, or another error.
 * @see {@link https://github.com/cowprotocol/contracts/blob/v1.0.0/src/contracts/GPv2Settlement.sol | computeTradeExecution of the contract}
 *
 * @example An order of a sandbox
 * ```ts
 * import { connect } from "orderlens";
 * import { orderAt } from "orderlens/evm";
 * import { openSandbox } from "orderlens/sandbox";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const sandbox = await openSandbox({ seed: 7, auctions: 20 });
 * const book = connect(sandbox);
 * const found = await Array.fromAsync(book.competitions({ last: 20 }));
 * const solutions = found.flatMap(({ competition }) => competition?.solutions ?? []);
 * const winner = solutions.find(({ isWinner, txHash }) => isWinner && txHash !== null)!;
 * const order = await book.order(winner.orders[0]!.id);
 *
 * const state = await orderAt(sandbox, book.domain, order);
 *
 * assert(!("reason" in state));
 * assertEquals(state.uid, order.uid);
 * const { kind, executedSellAmountBeforeFees, executedBuyAmount } = order;
 * assertEquals(state.filledAtoms, kind === "sell" ? executedSellAmountBeforeFees : executedBuyAmount);
 * ```
 */
export async function orderAt(
  source: NodeSource,
  domain: OrderDomain,
  order: OwnedOrder,
  options: FundingOptions = {},
): Promise<OrderAt | FundingUnknown> {
  checkOptions(options, FUNDING_OPTIONS, ACTION);
  const { block, ...sending } = options;
  const uid = computeOrderUid(domain, order, order.owner);
  const settlementContract = domain.verifyingContract;
  const ask = nodeOf(source, WANTED, sending);
  const [chain, found] = await ask([CHAIN_ID_CALL, headerCall(block ?? "latest")]);
  requireChainIn(chain, domain.chainId, ACTION);
  const header = readHeader(found!, block ?? null, WANTED);
  if (header === null) return noSuchBlock(block);
  const approval = approvalCall(order, uid, settlementContract);
  const filled = { to: settlementContract, name: "filledAmount", args: [uid] };
  const answers = await callsAt(ask, header, { calls: [filled, ...approval], wanted: WANTED });
  if ("reason" in answers) {
    const detail = `The node does not serve calls at block ${header.number}: ${answers.said}`;
    return fundingUnknown(answers.reason, header.number, detail);
  }
  const [filledAtoms, approved] = answers;
  const isPresign = order.signingScheme === "presign";
  if (typeof filledAtoms !== "bigint") {
    return silent(settlementContract, "filledAmount", header.number);
  }
  if (isPresign && approved === undefined) {
    return silent(settlementContract, "preSignature", header.number);
  }
  const isSignatureValid = approval.length === 0
    ? await isSignedByOwner(domain, order, uid)
    : approved === (isPresign ? BigInt(PRE_SIGNED) : VALID);
  return stateOf({ order, uid, header, filledAtoms, isSignatureValid });
}

/** What the state of an order is made of. */
interface StateParts {
  readonly order: OwnedOrder;
  readonly uid: string;
  readonly header: BlockHeader;
  readonly filledAtoms: bigint;
  readonly isSignatureValid: boolean;
}

function stateOf(parts: StateParts): OrderAt {
  const { uid, header: { number, hash, timestamp }, filledAtoms, isSignatureValid } = parts;
  return {
    block: number,
    blockHash: hash,
    at: Temporal.Instant.fromEpochMilliseconds(timestamp * 1_000),
    uid,
    filledAtoms: filledAtoms === CANCELLED ? null : filledAtoms,
    isSignatureValid,
    refusal: refusalOf(parts),
  };
}

function refusalOf(
  { order, header, filledAtoms, isSignatureValid }: StateParts,
): OrderRefusal | null {
  if (!isSignatureValid) return "invalid_signature";
  if (order.validTo < header.timestamp) return "expired";
  if (filledAtoms === CANCELLED) return "cancelled";
  const whole = order.kind === "sell" ? order.sellAmount : order.buyAmount;
  return filledAtoms >= (order.partiallyFillable ? whole : 1n) ? "filled" : null;
}

function approvalCall(
  { owner, signature, signingScheme }: OwnedOrder,
  uid: string,
  settlementContract: string,
): StateCall[] {
  if (signingScheme === "presign") {
    return [{ to: settlementContract, name: "preSignature", args: [uid] }];
  }
  if (signingScheme !== "eip1271") return [];
  const args = [uid.slice(0, 66), signature];
  return [{ from: settlementContract, to: owner, name: "isValidSignature", args }];
}

async function isSignedByOwner(
  domain: OrderDomain,
  order: OwnedOrder,
  uid: string,
): Promise<boolean> {
  try {
    return await tradeOrderUid(domain, order as unknown as SettlementTrade) === uid;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}
