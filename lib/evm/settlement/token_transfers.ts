import { toEventSelector } from "viem/utils";
import type { EventLog } from "./decode_settlement_events.ts";

/** Atoms of a token that moved, according to a log of the token. */
export interface TokenTransfer {
  /** Event: `Deposit` and `Withdrawal` are those of wrapped native tokens. */
  readonly event: "Transfer" | "Deposit" | "Withdrawal";
  /** Contract that emitted it, in lower case: the token. */
  readonly token: string;
  /** Account that paid, in lower case; zero where atoms are created. */
  readonly from: string;
  /** Account that received, in lower case; zero where atoms are destroyed. */
  readonly to: string;
  /** Amount, in atoms. */
  readonly atoms: bigint;
  /** Log index in the block. */
  readonly logIndex: number;
}

const NOBODY = `0x${"0".repeat(40)}`;
const WORD_DIGITS = 64;
/** An address as a word: twelve bytes of zeros, then the address. */
const ADDRESS_WORD = /^0{24}([0-9a-f]{40})$/;

let selectors: ReadonlyMap<string, TokenTransfer["event"]> | undefined;

/** Computed on first use: hashing takes longer than loading the module. */
function eventsBySelector(): ReadonlyMap<string, TokenTransfer["event"]> {
  return selectors ??= new Map<string, TokenTransfer["event"]>([
    [toEventSelector("Transfer(address,address,uint256)"), "Transfer"],
    [toEventSelector("Deposit(address,uint256)"), "Deposit"],
    [toEventSelector("Withdrawal(address,uint256)"), "Withdrawal"],
  ]);
}

/**
 * The transfers among logs, in their order; other logs are omitted, with those of tokens that have
 * ids instead of amounts (ERC-721).
 *
 * Contracts other than wrapped native tokens may emit `Deposit` and `Withdrawal` too: compare
 * `token`.
 */
export function tokenTransfers(logs: Iterable<EventLog>): TokenTransfer[] {
  const known = eventsBySelector();
  return Array.from(logs).flatMap((log) => {
    const event = known.get(log.topics[0]?.toLowerCase() ?? "");
    return event === undefined ? [] : readTransfer(event, log) ?? [];
  });
}

function readTransfer(event: TokenTransfer["event"], log: EventLog): TokenTransfer | null {
  // Some tokens index fewer parameters, or more: all of them are words in this order.
  const words = (log.topics.slice(1).map((topic) => topic.slice(2)).join("") + log.data.slice(2))
    .toLowerCase();
  const count = event === "Transfer" ? 3 : 2;
  if (log.topics.length > 3 || words.length !== count * WORD_DIGITS) return null;
  const accounts = Array.from({ length: count - 1 }, (_, place) => {
    const word = words.slice(place * WORD_DIGITS, (place + 1) * WORD_DIGITS);
    return ADDRESS_WORD.exec(word)?.[1] ?? null;
  });
  if (accounts.includes(null)) return null;
  const [first, second] = accounts.map((digits) => `0x${digits}`);
  return {
    event,
    token: log.address.toLowerCase(),
    from: event === "Deposit" ? NOBODY : first!,
    to: event === "Transfer" ? second! : event === "Deposit" ? first! : NOBODY,
    atoms: BigInt(`0x${words.slice(-WORD_DIGITS)}`),
    logIndex: Number(log.logIndex),
  };
}
