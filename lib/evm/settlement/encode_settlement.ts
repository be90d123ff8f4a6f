import type {
  Abi,
  AbiParameter,
  AbiStateMutability,
  ContractEventName,
  ContractFunctionArgs,
  ContractFunctionName,
} from "viem";
import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeErrorResult,
  encodeFunctionData,
  keccak256,
  parseAbi,
} from "viem/utils";
import { InputError } from "../../errors/mod.ts";
import { isWhole } from "../../errors/option_rules.ts";
import { MAX_AMOUNT } from "../../units/arithmetic.ts";
import { sameHex } from "../../units/mod.ts";
import {
  CALLS_ABI,
  type EventLog,
  LogDecoder,
  SETTLEMENT_ABI,
  TOKEN_EVENTS,
  toLowerCase,
  TRAMPOLINE_ABI,
} from "../abis.ts";
import { asHex, packWords, padAddress, parseHex, requireHexBytes, ZERO_ADDRESS } from "../hex.ts";
import {
  AUCTION_ID_DIGITS,
  type DecodedSettlement,
  packTradeFlags,
  type SettlementInteraction,
  type SettlementTrade,
} from "./decode_settlement.ts";

/** Topics and data of a log. */
export type EncodedEvent = Pick<EventLog, "topics" | "data">;

const DECODER = new LogDecoder([...SETTLEMENT_ABI, ...TOKEN_EVENTS]);

/** Names of the encoded events. */
type EventName = ContractEventName<typeof SETTLEMENT_ABI | typeof TOKEN_EVENTS>;

function findEvent(name: EventName) {
  const [topic, event] = DECODER.events.entries().find(([, event]) => event.name === name)!;
  return { ...event, topic };
}

/** Returns the first topic of an event: the hash of its signature. */
export function getEventTopic(name: EventName): string {
  return findEvent(name).topic;
}

/** Encodes an event of the settlement contract or of a token, given its parameters by their names. */
export function encodeEvent(
  name: EventName,
  parameters: Readonly<Record<string, unknown>>,
): EncodedEvent {
  const { topic, indexed, unindexed } = findEvent(name);
  const pickValues = (types: readonly AbiParameter[]) =>
    types.map((type) => parameters[type.name ?? ""]);
  return {
    topics: [topic, ...pickValues(indexed).map((address) => padAddress(String(address)))],
    data: encodeAbiParameters(unindexed, pickValues(unindexed)),
  };
}

/** Content of a settlement; a decoded one has all of it. */
export interface SettlementCall extends Omit<DecodedSettlement, "auctionId" | "suffix"> {
  /**
   * Auction that is settled: eight bytes after the calldata, as drivers append them; nothing is
   * appended if it is `null` or absent.
   */
  readonly auctionId?: number | null | undefined;
}

/**
 * Encodes the calldata of `settle(tokens, clearingPrices, trades, interactions)`: the inverse of
 * {@linkcode decodeSettlement}.
 *
 * The settlement contract reads a trade's tokens by `sellTokenIndex` and `buyTokenIndex`; its
 * `sellToken` and `buyToken` must agree. The `signature` of a `presign` trade is the owner, that of
 * an `eip1271` trade the owner followed by the contract's data.
 *
 * @param settlement Tokens, prices, trades and interactions; amounts in atoms.
 * @returns `0x` and lower-case hex.
 * @throws {InputError} If there is not one price per token, a trade's tokens are not at its
 * indices, or a value does not fit its type.
 * @see {@link https://github.com/cowprotocol/contracts/blob/v1.0.0/src/contracts/GPv2Settlement.sol | settle of the contract}
 *
 * @example
 * ```ts
 * import { decodeSettlement, encodeSettlement } from "orderlens/evm";
 * import { assertEquals } from "@std/assert";
 *
 * const settlement = {
 *   tokens: [`0x${"a1".repeat(20)}`, `0x${"b2".repeat(20)}`],
 *   clearingPrices: [2n, 1n],
 *   trades: [],
 *   interactions: {
 *     pre: [],
 *     intra: [{ target: `0x${"c3".repeat(20)}`, value: 0n, callData: "0x12345678" }],
 *     post: [],
 *   },
 *   auctionId: 7,
 * };
 *
 * const { suffix, ...decoded } = decodeSettlement(encodeSettlement(settlement));
 * assertEquals(decoded, settlement);
 * assertEquals(suffix, "0x0000000000000007");
 * ```
 */
export function encodeSettlement(settlement: SettlementCall): string {
  const { tokens, clearingPrices, trades, interactions, auctionId } = settlement;
  if (clearingPrices.length !== tokens.length) {
    throw toEncodeError(`it has ${tokens.length} tokens and ${clearingPrices.length} prices`);
  }
  trades.forEach((trade, index) => requireTokens(trade, { place: index, tokens }));
  return tryEncode(() =>
    encodeFunctionData({
      abi: SETTLEMENT_ABI,
      functionName: "settle",
      args: [
        tokens.map(asHex),
        clearingPrices,
        trades.map(toTradeArguments),
        [
          interactions.pre.map(toInteractionArguments),
          interactions.intra.map(toInteractionArguments),
          interactions.post.map(toInteractionArguments),
        ],
      ],
    })
  ) + encodeAuctionId(auctionId);
}

function tryEncode(encode: () => string): string {
  try {
    return encode();
  } catch (cause) {
    throw toEncodeError("a value does not fit its type", cause);
  }
}

function encodeAuctionId(auctionId: number | null | undefined): string {
  if (auctionId == null) return "";
  if (!isWhole(auctionId, 0)) throw toEncodeError(`${auctionId} is not the id of an auction`);
  return auctionId.toString(16).padStart(AUCTION_ID_DIGITS, "0");
}

function requireTokens(
  { sellTokenIndex, buyTokenIndex, sellToken, buyToken }: SettlementTrade,
  { place, tokens }: { place: number; tokens: readonly string[] },
): void {
  for (const [index, token] of [[sellTokenIndex, sellToken], [buyTokenIndex, buyToken]] as const) {
    const listedToken = tokens[index];
    if (listedToken !== undefined && sameHex(listedToken, token)) continue;
    throw toEncodeError(
      `trade ${place} is for ${token}, but token ${index} is ${listedToken ?? "absent"}`,
    );
  }
}

function toEncodeError(fault: string, cause?: unknown): InputError {
  return new InputError(`Cannot encode a settlement: ${fault}`, {
    remedy: "Pass tokens with one price each, and trades with the indices of their tokens",
    cause,
  });
}

function toTradeArguments(trade: SettlementTrade) {
  return {
    ...trade,
    sellTokenIndex: BigInt(trade.sellTokenIndex),
    buyTokenIndex: BigInt(trade.buyTokenIndex),
    receiver: asHex(trade.receiver ?? ZERO_ADDRESS),
    appData: asHex(trade.appData),
    flags: packTradeFlags(trade),
    signature: asHex(trade.signature),
  };
}

function toInteractionArguments({ target, value, callData }: SettlementInteraction) {
  return { target: asHex(target), value, callData: asHex(callData) };
}

const ERROR_ABI = parseAbi(["error Error(string reason)"]);

/** Encodes the return data of a call that reverts with a reason. */
export function encodeRevert(reason: string): string {
  return encodeErrorResult({ abi: ERROR_ABI, errorName: "Error", args: [reason] });
}

/**
 * Computes the storage slot of a mapping's value for an address: `keccak256(address ‖ position)`, each as a
 * word of 32 bytes.
 *
 * @param key The address.
 * @param position Slot of the mapping in the contract's storage layout, from 0.
 */
export function computeMappingSlot(key: string, position: bigint): string {
  return keccak256(packWords([parseHex(key, { what: "an address", bytes: 20 }), position]));
}

/** A trade with pools through a router: one amount fixed, the other bounded. */
interface RouterSwap {
  /** The amount that is fixed. */
  readonly fixed: "paid" | "bought";
  /** The fixed amount, in atoms. */
  readonly amount: bigint;
  /** The minimum to buy, or the maximum to pay, in atoms. */
  readonly bound: bigint;
  /** Tokens, from the one paid to the one bought. */
  readonly path: readonly string[];
  /** Receiver of the bought tokens. */
  readonly to: string;
}

/**
 * Encodes the calldata of a swap by the router of constant-product pools.
 *
 * @see {@link https://github.com/Uniswap/v2-periphery/blob/master/contracts/UniswapV2Router02.sol | UniswapV2Router02}
 */
export function encodeRouterSwap({ fixed, amount, bound, path, to }: RouterSwap): string {
  return encodeCall(
    fixed === "paid" ? "swapExactTokensForTokens" : "swapTokensForExactTokens",
    [amount, bound, path.map(asHex), asHex(to), MAX_AMOUNT],
  );
}

/** Encodes `withdraw(wad)`: the caller unwraps atoms of the wrapped native token. */
export function encodeWithdraw(atoms: bigint): string {
  return encodeCall("withdraw", [atoms]);
}

/** Encodes `setPreSignature(orderUid, true)` of the settlement contract. */
export function encodeSetPreSignature(orderUid: string): string {
  return encodeCall("setPreSignature", [asHex(orderUid), true]);
}

/** Encodes `invalidateOrder(orderUid)` of the settlement contract: its owner cancels it on the chain. */
export function encodeInvalidateOrder(orderUid: string): string {
  return encodeCall("invalidateOrder", [asHex(orderUid)]);
}

/** Encodes `approve(spender, atoms)` of a token. */
export function encodeApproval(spender: string, atoms: bigint): string {
  return encodeCall("approve", [asHex(spender), atoms]);
}

/** Encodes `setRelayerApproval(account, relayer, true)` of the Balancer vault. */
export function encodeRelayerApproval(account: string, relayer: string): string {
  return encodeCall("setRelayerApproval", [asHex(account), asHex(relayer), true]);
}

function encodeCall<Name extends ContractFunctionName<typeof CALLS_ABI>>(
  functionName: Name,
  args: ContractFunctionArgs<typeof CALLS_ABI, AbiStateMutability, Name> & readonly unknown[],
): string {
  return encodeFunctionData<Abi>({ abi: CALLS_ABI, functionName, args });
}

/** Selector of `execute((address,bytes,uint256)[])`. */
const EXECUTE_SELECTOR = "0x760f2a0b";

/**
 * Decodes the hooks that an interaction has the trampoline execute, in order; empty for any other
 * interaction.
 */
export function decodeHooks(callData: string): HookCall[] {
  if (!callData.toLowerCase().startsWith(EXECUTE_SELECTOR)) return [];
  try {
    const { args } = decodeFunctionData({ abi: TRAMPOLINE_ABI, data: requireHexBytes(callData) });
    return [...toLowerCase(args[0])];
  } catch {
    // Another contract's function of the same selector.
    return [];
  }
}

/** A contract call that a trader requests before or after the trade. */
export interface HookCall {
  /** Contract to call. */
  readonly target: string;
  /** Calldata. */
  readonly callData: string;
  /** Gas to forward, in gas units. */
  readonly gasLimit: bigint;
}

/**
 * Encodes the calldata with which the hooks trampoline executes all these calls.
 *
 * @see {@link https://github.com/cowprotocol/hooks-trampoline/blob/main/src/HooksTrampoline.sol | HooksTrampoline}
 */
export function encodeHooks(hooks: readonly HookCall[]): string {
  const calls = hooks.map(({ target, callData, gasLimit }) => ({
    target: asHex(target),
    callData: asHex(callData),
    gasLimit,
  }));
  return encodeFunctionData({ abi: TRAMPOLINE_ABI, functionName: "execute", args: [calls] });
}
