import type { OrderBook } from "../../client/order_book.ts";
import {
  parseOrderUid,
  type ProgrammaticOrder,
  programmaticOrderId,
  programmaticOrders,
  type ProgrammaticOrdersOptions,
  programmaticParent,
  twapFault,
  twapParts,
  type TwapTerms,
} from "../../evm/mod.ts";
import { findBlockAt } from "../../evm/node/block_at.ts";
import { fetchStart, toTwapTerms } from "../../evm/node/programmatic_orders.ts";
import type { Order } from "../../schemas/mod.ts";
import { formatInstant, sameHex } from "../../units/mod.ts";
import { ask, recordOf } from "./report_requests.ts";
import { atSecond, notToldBy, type ReportedUnknown, type ReportNode } from "./order_report.ts";
import type { ReportedProgrammaticOrder, ReportedTwapPart, TwapPartState } from "./verdicts.ts";

/** What a report says of TWAPs and other programmatic orders. */
interface Programmatic<Found> {
  /** What was found. */
  readonly found: Found;
  /** What the node does not tell. */
  readonly unknown: readonly ReportedUnknown[];
}

/** How to ask. */
interface Asking {
  /** A node, for what is on the chain alone. */
  readonly node: ReportNode | undefined;
  /** Ends the requests. */
  readonly signal?: AbortSignal | undefined;
}

/** Parts of one TWAP that a report lists at most. */
const MOST_PARTS = 500;
/** Under which ComposableCoW keeps the start of all leaves of a Merkle tree. */
const OF_LEAVES = `0x${"0".repeat(64)}`;
const WHAT = "programmatic_orders";

/** The programmatic orders that a transaction or an account created; none without a node. */
export async function createdOrders(
  book: OrderBook,
  which: Pick<ProgrammaticOrdersOptions, "txHash" | "account">,
  { node, signal }: Asking,
): Promise<Programmatic<readonly ReportedProgrammaticOrder[]>> {
  if (node === undefined) return { found: [], unknown: [] };
  try {
    const { orders, at } = await programmaticOrders(node, { ...which, signal });
    const found = orders.map(({ params, transactionHash, blockNumber, ...facts }) => ({
      ...facts,
      handler: params.handler,
      txHash: transactionHash,
      block: blockNumber,
    }));
    return {
      found: await Promise.all(found.map((one) => reported(book, one, { now: at, signal }))),
      unknown: found.flatMap(({ startUnknown }) => startUnknown ?? []).map(unknownStart),
    };
  } catch (error) {
    return { found: [], unknown: [{ what: WHAT, ...notToldBy(error) }] };
  }
}

/** The TWAP that an order is a part of, by its signature; `null` if it is of none. */
export async function parentOf(
  book: OrderBook,
  order: Order,
  { node, now, signal }: Asking & { readonly now: Temporal.Instant },
): Promise<Programmatic<ReportedProgrammaticOrder | null>> {
  const parent = order.signingScheme === "eip1271" ? programmaticParent(order.signature) : null;
  if (parent === null) return { found: null, unknown: [] };
  const { params, isLeaf } = parent;
  const { owner, uid } = order;
  const id = programmaticOrderId(params);
  const facts = { id, owner, handler: params.handler, ...NOT_SEEN };
  const isDated = toTwapTerms(params, null).startUnknown === null;
  try {
    const start = isDated ? null : await startOf(order, isLeaf ? OF_LEAVES : id, node);
    const twap = toTwapTerms(params, start);
    const found = await reported(book, { ...facts, ...twap }, {
      now,
      until: order.validTo,
      signal,
    });
    // Created again, a TWAP has another start, and other parts.
    const isIts = twap.terms === null || found.parts.some((part) => sameHex(part.uid, uid));
    if (isIts) return { found, unknown: [] };
    const startUnknown = twap.startUnknown ?? "None of its parts is the order as it starts now";
    const known = await reported(book, { ...facts, ...twap, startUnknown }, { now, signal });
    return { found: known, unknown: [unknownStart(startUnknown)] };
  } catch (error) {
    return { found: null, unknown: [{ what: WHAT, ...notToldBy(error) }] };
  }
}

/** The TWAP of which a UID that the service does not have is a part, by its owner's events. */
export async function unpostedPart(
  book: OrderBook,
  uid: string,
  asking: Asking,
): Promise<ReportedProgrammaticOrder | null> {
  const { owner } = parseOrderUid(uid);
  const { found } = await createdOrders(book, { account: owner }, asking);
  return found.find(({ parts }) => parts.some((part) => part.uid === uid)) ?? null;
}

/** What became of a part that the service does not have, as one sentence. */
export function unpostedSentence(uid: string, twap: ReportedProgrammaticOrder): string {
  const { part, state, validFrom, validTo } = twap.parts.find((each) => each.uid === uid)!;
  const which = `Part ${part} of ${twap.terms!.n} of a TWAP`;
  const time = `from ${formatInstant(validFrom)} to ${formatInstant(validTo)}`;
  const removed = twap.isAllowed === false ? ", and its owner has removed the TWAP" : "";
  if (state === "never_posted") return `${which} was never posted: it was valid ${time}${removed}.`;
  return `${which} is not posted yet: it is valid ${time}${removed}.`;
}

const NOT_SEEN = { trader: null, txHash: null, block: null, isAllowed: null };

function unknownStart(why: string): ReportedUnknown {
  return {
    what: "twap_start",
    why,
    remedy: "Pass a node; of a TWAP that its owner has removed, one that keeps all states",
  };
}

/** When the TWAP of a part starts: as the contract keeps it now, or did when the part was posted. */
async function startOf(
  { owner, creationDate }: Order,
  id: string,
  node: ReportNode | undefined,
): Promise<bigint | null> {
  if (node === undefined) return null;
  const now = await fetchStart(node.rpc, { owner, id, block: "latest" });
  if (now === null || now > 0n) return now;
  const then = await findBlockAt(node, creationDate);
  return "reason" in then ? null : await fetchStart(node.rpc, { owner, id, block: then.number });
}

type Facts =
  & Omit<ReportedProgrammaticOrder, "fault" | "parts" | "sentence">
  & Pick<ProgrammaticOrder, "startUnknown">;

async function reported(
  book: OrderBook,
  { startUnknown, terms, ...facts }: Facts,
  { now, until, signal }: {
    readonly now: Temporal.Instant;
    readonly until?: number;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<ReportedProgrammaticOrder> {
  const { id, owner, trader, handler, txHash, block, isAllowed } = facts;
  const fault = terms === null ? null : twapFault(terms);
  const isKnown = terms !== null && startUnknown === null && fault === null;
  const seconds = Math.floor(now.epochMilliseconds / 1_000);
  const first = isKnown ? firstShown(terms, until ?? seconds) : 1;
  const parts = isKnown ? await partsOf(book, { owner, terms, first }, { seconds, signal }) : [];
  const removed = isAllowed === false ? "; its owner has removed it" : "";
  return {
    id,
    owner,
    trader,
    handler,
    txHash,
    block,
    isAllowed,
    terms,
    fault,
    parts,
    sentence: `${sentenceOf({ terms, fault, parts, startUnknown, handler })}${removed}.`,
  };
}

/** The first part of which 500 are listed, so that the part of a time is among them. */
function firstShown({ t0, t, n }: TwapTerms, seconds: number): number {
  const begun = (BigInt(seconds) - t0) / t + 1n;
  const last = begun < n ? begun : n;
  return Math.max(1, Number(last) - MOST_PARTS + 1);
}

async function partsOf(
  book: OrderBook,
  shown: { readonly owner: string; readonly terms: TwapTerms; readonly first: number },
  { seconds, signal }: { readonly seconds: number; readonly signal: AbortSignal | undefined },
): Promise<ReportedTwapPart[]> {
  const parts: { part: number; uid: string; validFrom: number; validTo: number }[] = [];
  for (const { part, uid, validFrom, order } of twapParts(book.domain, shown)) {
    parts.push({ part, uid, validFrom, validTo: order.validTo });
    if (parts.length === MOST_PARTS) break;
  }
  const asked = parts.filter(({ validFrom }) => validFrom <= seconds).map(({ uid }) => uid);
  const answer = asked.length === 0
    ? { orders: [], missing: [] }
    : recordOf(await ask(() => book.orders(asked, { signal }), () => {}));
  const states = new Map<string, TwapPartState>([
    ...(answer?.orders ?? []).map(({ uid, status }) => [uid.toLowerCase(), status] as const),
  ]);
  const missing = new Set(answer?.missing ?? []);
  return parts.map(({ part, uid, validFrom, validTo }) => {
    const unposted = validTo < seconds ? "never_posted" : "not_posted_yet";
    return {
      part,
      uid,
      validFrom: atSecond(validFrom),
      validTo: atSecond(validTo),
      state: states.get(uid) ??
        (validFrom > seconds ? "not_due" : missing.has(uid) ? unposted : "unread"),
    };
  });
}

/** States of parts with their words, in the order of a sentence. */
const STATES: readonly (readonly [state: string, words: string])[] = [
  ["fulfilled", "filled"],
  ["open", "open"],
  ["presignaturePending", "waiting for a signature"],
  ["expired", "expired"],
  ["cancelled", "cancelled"],
  ["never_posted", "never posted"],
  ["not_posted_yet", "not posted yet"],
  ["not_due", "not due"],
  ["unread", "not known"],
];

function sentenceOf(
  { terms, fault, parts, startUnknown, handler }:
    & Pick<ReportedProgrammaticOrder, "terms" | "fault" | "parts" | "handler">
    & Pick<Facts, "startUnknown">,
): string {
  if (terms === null) return `Programmatic order of the handler ${handler}`;
  const what = `TWAP of ${terms.n} parts`;
  if (fault !== null) return `${what}, which the contract refuses with "${fault}"`;
  if (startUnknown !== null) return `${what}, whose start is not known`;
  const counts = STATES.flatMap(([state, words]) => {
    const count = parts.filter((part) => part.state === state).length;
    return count === 0 ? [] : [`${count} ${words}`];
  });
  const which = BigInt(parts.length) < terms.n ? `, of which ${parts.length} are listed` : "";
  return `${what}${which}: ${counts.join(", ")}`;
}
