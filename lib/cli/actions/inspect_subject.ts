import type { NetworkName } from "../../networks/network.ts";
import { parseExplorerUrl } from "../../networks/parse_explorer_url.ts";
import type { Given } from "../words/given.ts";
import { usageError } from "../words/usage_error.ts";

/** What a report can be about. */
export type SubjectKind = "order" | "transaction" | "account" | "auction";

/** What a word of the command line names. */
export interface Subject {
  /** What it is. */
  readonly kind: SubjectKind;
  /** UID, hash or address in lower case, or the id. */
  readonly key: string;
  /** The network that an explorer's address names; `null` without one. */
  readonly network: NetworkName | null;
}

const KINDS: Readonly<Record<number, SubjectKind>> = {
  112: "order",
  64: "transaction",
  40: "account",
};

/**
 * What a word names: a UID, a transaction, an account, an auction, or the page of one.
 *
 * @throws {InputError} If it is none of them.
 */
export function subjectOf(given: Given, word: string): Subject {
  if (/^\d{1,15}$/.test(word)) return { kind: "auction", key: word, network: null };
  const page = parseExplorerUrl(word);
  if (page !== null) {
    const { network, subject } = page;
    if ("uid" in subject) return { kind: "order", key: subject.uid, network };
    if ("transaction" in subject) return { kind: "transaction", key: subject.transaction, network };
    return { kind: "account", key: subject.account, network };
  }
  const digits = /^0x([0-9a-f]+)$/i.exec(word)?.[1]?.length ?? 0;
  const kind = KINDS[digits];
  if (kind !== undefined) return { kind, key: word.toLowerCase(), network: null };
  throw usageError(
    `${given.cannot} for ${JSON.stringify(word.slice(0, 130))}`,
    "Pass the UID of an order, a transaction, an account, the id of an auction, or an address of an explorer",
  );
}
