import { encodeAbiParameters, hexToBytes, parseAbiParameters } from "viem/utils";
import { InputError } from "../../errors/mod.ts";
import {
  COMPOSABLE_COW_ABI,
  type EventLog,
  type EventPlace,
  LogDecoder,
  type OtherEvent,
  toOtherEvent,
  toPosition,
} from "../abis.ts";
import { keccak256, parseHex, requireHexBytes, toHex, WORD_DIGITS, ZERO_ADDRESS } from "../hex.ts";
import { readPlainValues } from "../plain_values.ts";
import { computeOrderUid, type SignableOrder } from "../orders/order_digest.ts";
import type { OrderDomain } from "../orders/order_uid.ts";

/** Parameters that identify a programmatic order of an owner: its handler generates orders from them. */
export interface ProgrammaticParams {
  /** The contract that generates its orders, such as the TWAP handler, in lower case. */
  readonly handler: string;
  /** Distinguishes it from others with the same terms, 32 bytes. */
  readonly salt: string;
  /** Its terms, encoded as its handler reads them. */
  readonly staticInput: string;
}

/** An owner allowed a programmatic order. */
export interface ProgrammaticOrderEvent extends EventPlace {
  /** Kind of event. */
  readonly event: "ConditionalOrderCreated";
  /** Owner of the orders that it generates, in lower case: a wallet contract, or a trader's proxy. */
  readonly owner: string;
  /** Its parameters. */
  readonly params: ProgrammaticParams;
}

/** An owner allowed all programmatic orders of a Merkle tree. */
export interface MerkleRootEvent extends EventPlace {
  /** Kind of event. */
  readonly event: "MerkleRootSet";
  /** Owner of the orders, in lower case. */
  readonly owner: string;
  /** Root of the tree. */
  readonly root: string;
  /** Location of its leaves: 0 for private, 1 in `data`, others elsewhere. */
  readonly location: bigint;
  /** The leaves, or their location. */
  readonly data: string;
}

/** An owner set a contract that may refuse the orders. */
export interface SwapGuardEvent extends EventPlace {
  /** Kind of event. */
  readonly event: "SwapGuardSet";
  /** Owner of the orders, in lower case. */
  readonly owner: string;
  /** The contract, in lower case; the zero address for none. */
  readonly swapGuard: string;
}

/** An event of ComposableCoW, or a log of something else. */
export type ComposableCowEvent =
  | ProgrammaticOrderEvent
  | MerkleRootEvent
  | SwapGuardEvent
  | OtherEvent;

/** Its events by their first topics. */
export const COMPOSABLE_COW_LOGS: LogDecoder<typeof COMPOSABLE_COW_ABI> = new LogDecoder(
  COMPOSABLE_COW_ABI,
);

/**
 * Decodes the events of ComposableCoW, the contract of TWAPs and other programmatic orders.
 *
 * Identifies events by their hash, not by their emitter, and anyone can emit them: pass logs of the
 * network's own contract, or compare `address`. An owner may allow an order without any event.
 *
 * @param logs Logs of a receipt or of `eth_getLogs`.
 * @returns One entry per log, in the same order; a log of another event is `"other"`.
 * @throws {InputError} If a log is of one of these events, but malformed.
 * @see {@link https://github.com/cowprotocol/composable-cow/blob/4a0c2bd271519f3e2f5261fdd0d4afbc4543b921/src/ComposableCoW.sol | events of the contract}
 *
 * @example The Merkle root of an owner
 * ```ts
 * import { decodeComposableCowEvents } from "orderlens/evm";
 * import { assertEquals } from "@std/assert";
 *
 * const word = (digits: string) => digits.padStart(64, "0");
 * const [event] = decodeComposableCowEvents([{
 *   address: "0xfdafc9d1902f4e0b84f65f49f244b32b31013b74",
 *   topics: [
 *     "0x58662f46b4a87d0f96d929b24c37fe25c55d52c0025d0b2bec3936534cc31e57",
 *     `0x${word("a1".repeat(20))}`,
 *   ],
 *   data: `0x${"ab".repeat(32)}${word("40")}${word("1")}${word("40")}${word("0")}`,
 *   blockNumber: "0x10",
 *   transactionHash: `0x${"cd".repeat(32)}`,
 *   logIndex: "0x3",
 * }]);
 *
 * assertEquals(event?.event === "MerkleRootSet" && [event.root, event.location], [
 *   `0x${"ab".repeat(32)}`,
 *   1n,
 * ]);
 * ```
 */
export function decodeComposableCowEvents(logs: Iterable<EventLog>): ComposableCowEvent[] {
  return Array.from(logs, (log): ComposableCowEvent => {
    const decodedLog = COMPOSABLE_COW_LOGS.decode(log);
    if (decodedLog === null) return toOtherEvent(log);
    const { eventName: event, args } = decodedLog;
    if (event !== "MerkleRootSet") {
      return { event, ...toPosition(log), ...args } as ComposableCowEvent;
    }
    const { proof, ...rootFields } = args;
    return { event, ...toPosition(log), ...rootFields, ...proof };
  });
}

const PARAMS = parseAbiParameters([
  "Params params",
  "struct Params { address handler; bytes32 salt; bytes staticInput; }",
]);

/**
 * Identifies a programmatic order: `keccak256(abi.encode(params))`, under which ComposableCoW stores
 * whether its owner allows it, and when it starts.
 *
 * @returns 32 bytes as lower-case hex.
 * @throws {InputError} If a parameter is not hex of its length.
 */
export function programmaticOrderId({ handler, salt, staticInput }: ProgrammaticParams): string {
  return toHex(keccak256(hexToBytes(encodeAbiParameters(PARAMS, [{
    handler: toHex(parseHex(handler, HANDLER)),
    salt: toHex(parseHex(salt, SALT)),
    staticInput: requireHexBytes(staticInput, "the static input of a programmatic order"),
  }]))));
}

const HANDLER = { what: "the handler of a programmatic order", bytes: 20 };
const SALT = { what: "the salt of a programmatic order", bytes: 32 };

/** The programmatic order that an order was generated from, according to its signature. */
export interface ProgrammaticParent {
  /** Its parameters. */
  readonly params: ProgrammaticParams;
  /** Whether its owner allowed it as a leaf of a Merkle tree, whose leaves share one start. */
  readonly isLeaf: boolean;
}

/** `safeSignature(bytes32,bytes32,bytes,bytes)`, for the fallback handler of a Safe. */
const SAFE_SIGNATURE = "0x5fd7e97d";
const SAFE_ARGUMENTS = parseAbiParameters(
  "bytes32 domain, bytes32 kind, bytes order, bytes payload",
);
const PAYLOAD = parseAbiParameters([
  "bytes32[] proof, Params params, bytes offchainInput",
  "struct Params { address handler; bytes32 salt; bytes staticInput; }",
]);

/** An order has twelve words; the offset of the payload and the payload follow. */
const FORWARDED_PAYLOAD = 13 * WORD_DIGITS;

/**
 * The programmatic order that an order was generated from, read from its signature: parts of a TWAP
 * carry the terms of all of it.
 *
 * @param signature The signature of an order with scheme `eip1271`, as the service has it.
 * @returns `null` if it is not one for ComposableCoW, of a Safe or of a proxy that forwards to it.
 */
export function programmaticParent(signature: string): ProgrammaticParent | null {
  const isSafe = signature.toLowerCase().startsWith(SAFE_SIGNATURE);
  const digits = signature.slice(isSafe ? SAFE_SIGNATURE.length : 2);
  const safe = isSafe
    ? readPlainValues<[string, string, string, string]>(SAFE_ARGUMENTS, digits)?.values
    : null;
  // Encoded alone, the payload has its offset in front, as behind the words of an order.
  const payload = isSafe ? safe?.[3].slice(2 + WORD_DIGITS) : digits.slice(FORWARDED_PAYLOAD);
  const values = readPlainValues<[readonly string[], ProgrammaticParams, string]>(
    PAYLOAD,
    payload ?? "",
  );
  if (values === null) return null;
  const [proof, params] = values.values;
  return { params, isLeaf: proof.length > 0 };
}

/** The terms of a TWAP: an order in `n` parts, one every `t` seconds. */
export interface TwapTerms {
  /** Token to sell, in lower case. */
  readonly sellToken: string;
  /** Token to buy, in lower case. */
  readonly buyToken: string;
  /** Receiver of the bought tokens, in lower case; the zero address means the owner. */
  readonly receiver: string;
  /** Amount that each part sells, in sell-token atoms. */
  readonly partSellAmount: bigint;
  /** Minimum that each part buys, in buy-token atoms. */
  readonly minPartLimit: bigint;
  /** Start of the first part, in unix seconds; `0n` if the contract stores it in its cabinet. */
  readonly t0: bigint;
  /** Number of parts. */
  readonly n: bigint;
  /** Seconds from the start of a part to the start of the next one. */
  readonly t: bigint;
  /** Seconds in which a part is valid; `0n` for all until the next one. */
  readonly span: bigint;
  /** Hash of the app data document of every part. */
  readonly appData: string;
}

const TWAP_TERMS = parseAbiParameters([
  "Terms terms",
  "struct Terms { address sellToken; address buyToken; address receiver; uint256 partSellAmount; uint256 minPartLimit; uint256 t0; uint256 n; uint256 t; uint256 span; bytes32 appData; }",
]);

/**
 * Decodes the terms of a TWAP.
 *
 * @param staticInput Of an order whose handler is the TWAP handler.
 * @returns Amounts in atoms, times in seconds.
 * @throws {InputError} If they are not terms of a TWAP.
 * @see {@link https://github.com/cowprotocol/composable-cow/blob/bbd82c98662be383f5b5b287af33479b49c7c3a4/src/types/twap/libraries/TWAPOrder.sol | TWAPOrder.Data}
 */
export function decodeTwap(staticInput: string): TwapTerms {
  const terms = tryDecodeTwap(staticInput);
  if (terms !== null) return terms;
  throw new InputError("Cannot decode the terms of a TWAP: they do not begin with its ten words", {
    facts: { bytes: staticInput.length / 2 - 1 },
    remedy: "Pass the `staticInput` of an order whose handler is the TWAP handler",
  });
}

/** Decodes the terms of a TWAP; `null` if they are not terms of one. */
export function tryDecodeTwap(staticInput: string): TwapTerms | null {
  return readPlainValues<[TwapTerms]>(TWAP_TERMS, staticInput.slice(2))?.values[0] ?? null;
}

/** The reason why the TWAP handler refuses the terms of a TWAP, in its own words. */
export type TwapFault =
  | "same token"
  | "invalid token"
  | "invalid part sell amount"
  | "invalid min part limit"
  | "invalid start time"
  | "invalid num parts"
  | "invalid frequency"
  | "invalid span";

const MAX_SECOND = 2n ** 32n - 1n;
const YEAR = 365n * 86_400n;

/**
 * Returns why the TWAP handler refuses terms, so that none of their parts is ever tradeable.
 *
 * Like the contract, it does not look at the receiver, at amounts beyond any supply, or at whether the
 * tokens exist.
 *
 * @param terms With the start that applies.
 * @returns The first fault, in the contract's order; `null` if there is none.
 */
export function twapFault(terms: TwapTerms): TwapFault | null {
  const { sellToken, buyToken, partSellAmount, minPartLimit, t0, n, t, span } = terms;
  if (sellToken === buyToken) return "same token";
  if (sellToken === ZERO_ADDRESS || buyToken === ZERO_ADDRESS) return "invalid token";
  if (partSellAmount === 0n) return "invalid part sell amount";
  if (minPartLimit === 0n) return "invalid min part limit";
  if (t0 >= MAX_SECOND) return "invalid start time";
  if (n < 2n || n > MAX_SECOND) return "invalid num parts";
  if (t === 0n || t > YEAR) return "invalid frequency";
  return span > t ? "invalid span" : null;
}

/** One part of a TWAP. */
export interface TwapPart {
  /** Its number, from 1. */
  readonly part: number;
  /** Earliest time at which it can be posted and settled, in unix seconds. */
  readonly validFrom: number;
  /** Its order, which is valid to `validTo`, that second included. */
  readonly order: SignableOrder;
  /** UID of the order. */
  readonly uid: string;
}

/** Owner and terms of the parts, and the first one. */
export interface TwapPartsOptions {
  /** Owner of the parts: the account that allowed the TWAP. */
  readonly owner: string;
  /** The terms with the start that applies: with `t0` of 0, the one that the contract stores. */
  readonly terms: TwapTerms;
  /** First part. @default {1} */
  readonly first?: number;
}

/**
 * The parts of a TWAP in their order, each with the order that the TWAP handler generates for it.
 *
 * Part i of n begins at `t0 + (i − 1) · t` and ends one second before `t0 + (i − 1) · t + (span or t)`;
 * each sells `partSellAmount` for at least `minPartLimit`, whole or not at all. They differ in
 * `validTo` alone, which gives each a UID of its own.
 *
 * @param domain Chain and settlement contract, from {@linkcode orderDomain}.
 * @param options Owner, terms and first part.
 * @returns Generated one by one, since there may be billions; none where {@linkcode twapFault} finds a
 * fault, and none after 2106, whose times an order cannot have.
 * @see {@link https://github.com/cowprotocol/composable-cow/blob/6d45130da40ee10d8f878b1aeaae390d05764e05/src/types/twap/libraries/TWAPOrderMathLib.sol | calculateValidTo of the contract}
 *
 * @example Two parts, one an hour, each valid for ten minutes
 * ```ts
 * import { orderDomain, twapParts } from "orderlens/evm";
 * import { assertEquals } from "@std/assert";
 *
 * const domain = orderDomain({ chainId: 1, settlementContract: `0x${"90".repeat(20)}` });
 * const terms = {
 *   sellToken: `0x${"a1".repeat(20)}`,
 *   buyToken: `0x${"b2".repeat(20)}`,
 *   receiver: `0x${"00".repeat(20)}`,
 *   partSellAmount: 50n,
 *   minPartLimit: 40n,
 *   t0: 1_700_000_000n,
 *   n: 2n,
 *   t: 3_600n,
 *   span: 600n,
 *   appData: `0x${"00".repeat(32)}`,
 * };
 *
 * const parts = [...twapParts(domain, { owner: `0x${"c3".repeat(20)}`, terms })];
 *
 * assertEquals(parts.map(({ validFrom, order }) => [validFrom, order.validTo]), [
 *   [1_700_000_000, 1_700_000_599],
 *   [1_700_003_600, 1_700_004_199],
 * ]);
 * ```
 */
export function* twapParts(
  domain: OrderDomain,
  { owner, terms, first = 1 }: TwapPartsOptions,
): Generator<TwapPart, void, undefined> {
  if (twapFault(terms) !== null) return;
  const { t0, n, t, span, partSellAmount, minPartLimit, ...fields } = terms;
  for (let part = BigInt(first); part <= n; part++) {
    const validFrom = t0 + (part - 1n) * t;
    const validTo = validFrom + (span === 0n ? t : span) - 1n;
    if (validTo > MAX_SECOND) return;
    const order = {
      ...fields,
      sellAmount: partSellAmount,
      buyAmount: minPartLimit,
      validTo: Number(validTo),
      feeAmount: 0n,
      kind: "sell",
      partiallyFillable: false,
      sellTokenBalance: "erc20",
      buyTokenBalance: "erc20",
    };
    const uid = computeOrderUid(domain, order, owner);
    yield { part: Number(part), validFrom: Number(validFrom), order, uid };
  }
}
