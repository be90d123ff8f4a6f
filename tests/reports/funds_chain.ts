import type { RpcCall } from "orderlens/evm";
import { hex, orderBody } from "./canned_book.ts";

/** What an account has and allows. */
export interface Held {
  /** Balance, in atoms. */
  readonly balance: bigint;
  /** Allowance for the relayer, in atoms. */
  readonly allowance: bigint;
}

/** How a made-up chain differs. */
export interface FundsChainOptions {
  /** Number of the latest block. @default {1_000_000} */
  readonly latest?: number;
  /** First block whose state is kept. @default {0} */
  readonly kept?: number;
  /** What the settlement contract counts as filled of every order. @default {it does not say} */
  readonly filledAtoms?: bigint;
  /** Its id. @default {1} */
  readonly chainId?: number;
}

/** The contract that takes tokens. */
export const RELAYER: string = hex("44", 20);
const FIRST = Temporal.Instant.from("2026-04-04T18:40:00Z").epochMilliseconds / 1_000;
const word = (value: bigint) => `0x${value.toString(16).padStart(64, "0")}`;

/** Timestamp of a block: twelve seconds each. */
export function timeOfBlock(block: number): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(1_000 * (FIRST + 12 * block));
}

/** A chain without Multicall3 in which an account has what `held` says in each block. */
export function fundsChain(
  held: (block: number) => Held,
  { latest = 1_000_000, kept = 0, filledAtoms, chainId = 1 }: FundsChainOptions = {},
) {
  const requests: number[] = [];
  const numberOf = (tag: unknown) =>
    tag === "latest" ? latest : tag === "earliest" ? 0 : Number(tag);
  const answer = ({ method, params }: RpcCall) => {
    if (method === "eth_getBlockByNumber") {
      const block = numberOf(params[0]);
      if (block > latest) return { result: null };
      const hash = word(BigInt(block));
      const timestamp = `0x${(FIRST + 12 * block).toString(16)}`;
      return { result: { number: `0x${block.toString(16)}`, hash, timestamp } };
    }
    if (method === "eth_chainId") return { result: `0x${chainId.toString(16)}` };
    const block = numberOf(params[1]);
    if (block < kept) {
      return {
        error: { code: -32000, message: "missing trie node ab12 (path ) is not available" },
      };
    }
    const { data } = params[0] as { data: string };
    const { balance, allowance } = held(block);
    const values: Record<string, bigint | undefined> = {
      "0x2479fb6e": filledAtoms,
      "0x9b552cc2": BigInt(RELAYER),
      "0x70a08231": balance,
      "0xdd62ed3e": allowance,
    };
    const value = values[data.slice(0, 10)];
    return { result: value === undefined ? "0x" : word(value) };
  };
  const rpc = (calls: readonly RpcCall[]) => {
    requests.push(calls.length);
    return Promise.resolve(calls.map(answer));
  };
  return { rpc, requests };
}

/** An event five seconds after a block: the next block comes seven seconds later. */
export function event(label: string, block: number, reason: string | null = null) {
  const timestamp = timeOfBlock(block).add({ seconds: 5 }).toString();
  return { label, timestamp, reason };
}

/** The answers about an order that expires in block 950,000, with its events if they are public. */
export function leftOut(
  events: object[] | null,
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  const creationDate = timeOfBlock(900_000).toString();
  const validTo = timeOfBlock(950_000).epochMilliseconds / 1_000;
  const order = orderBody({ creationDate, validTo, status: "expired", ...more });
  const report = { orderUid: order.uid, order, events, auctions: [], trades: [] };
  return {
    [`/api/v1/orders/${order.uid}/status`]: { type: "open" },
    [`/api/v1/orders/${order.uid}`]: order,
    "/api/v2/trades": [],
    ...events === null ? {} : { "/restricted/api/v1/debug/order": report },
  };
}
