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
import { formatInstant, formatSpan, sameHex } from "../../units/mod.ts";
import { fetchOptional, recordOrNull } from "./report_requests.ts";
import {
  explainFailure,
  type ReportedUnknown,
  type ReportNode,
  toInstant,
} from "./order_report.ts";
import type { ReportedProgrammaticOrder, ReportedTwapPart, TwapPartState } from "./verdicts.ts";

/** Facts about TWAPs and other programmatic orders, and what could not be read. */
interface ProgrammaticResult<Result> {
  /** The facts. */
  readonly result: Result;
  /** Facts that the node did not return. */
  readonly unknown: readonly ReportedUnknown[];
}

/** Node and signal of the requests. */
interface NodeContext {
  /** A node, for what is on the chain alone. */
  readonly node: ReportNode | undefined;
  /** Ends the requests. */
  readonly signal?: AbortSignal | undefined;
}

/** Parts of one TWAP that a report lists at most. */
const MAX_PARTS = 500;
/** Under which ComposableCoW keeps the start of all leaves of a Merkle tree. */
const MERKLE_ROOT_ID = `0x${"0".repeat(64)}`;
const UNKNOWN_NAME = "programmatic_orders";

/** The programmatic orders that a transaction or an account created; none without a node. */
export async function readCreatedOrders(
  book: OrderBook,
  filter: Pick<ProgrammaticOrdersOptions, "txHash" | "account">,
  { node, ...context }: NodeContext & Omit<PartsContext, "now">,
): Promise<ProgrammaticResult<readonly ReportedProgrammaticOrder[]>> {
  if (node === undefined) return { result: [], unknown: [] };
  try {
    const { orders, at: readAt } = await programmaticOrders(node, {
      ...filter,
      signal: context.signal,
    });
    const created = orders.map(({ params, transactionHash, blockNumber, ...facts }) => ({
      ...facts,
      handler: params.handler,
      txHash: transactionHash,
      block: blockNumber,
    }));
    return {
      result: await Promise.all(
        created.map((order) => reportProgrammatic(book, order, { ...context, now: readAt })),
      ),
      unknown: created.flatMap(({ startUnknown }) => startUnknown ?? []).map(explainUnknownStart),
    };
  } catch (error) {
    return { result: [], unknown: [{ what: UNKNOWN_NAME, ...explainFailure(error) }] };
  }
}

/** The TWAP that an order is a part of, by its signature; `null` if it is of none. */
export async function readParentOrder(
  book: OrderBook,
  order: Order,
  { node, now, signal }: NodeContext & { readonly now: Temporal.Instant },
): Promise<ProgrammaticResult<ReportedProgrammaticOrder | null>> {
  const parent = order.signingScheme === "eip1271" ? programmaticParent(order.signature) : null;
  if (parent === null) return { result: null, unknown: [] };
  const { params, isLeaf } = parent;
  const { owner, uid } = order;
  const id = programmaticOrderId(params);
  const facts = { id, owner, handler: params.handler, ...NOT_CREATED_HERE };
  const isDated = toTwapTerms(params, null).startUnknown === null;
  try {
    const start = isDated ? null : await readStart(order, isLeaf ? MERKLE_ROOT_ID : id, node);
    const twap = toTwapTerms(params, start);
    const parent = await reportProgrammatic(book, { ...facts, ...twap }, {
      now,
      until: order.validTo,
      signal,
    });
    // Created again, a TWAP has another start, and other parts.
    const isIts = twap.terms === null || parent.parts.some((part) => sameHex(part.uid, uid));
    if (isIts) return { result: parent, unknown: [] };
    const startUnknown = twap.startUnknown === null
      ? "None of its parts is this order, given its present start"
      : node === undefined
      ? "It began when it was created, a time that only a node shows"
      : twap.startUnknown;
    const fallback = await reportProgrammatic(book, { ...facts, ...twap, startUnknown }, {
      now,
      signal,
    });
    return { result: fallback, unknown: [explainUnknownStart(startUnknown)] };
  } catch (error) {
    return { result: null, unknown: [{ what: UNKNOWN_NAME, ...explainFailure(error) }] };
  }
}

/** The TWAP of which a UID that the service does not have is a part, by its owner's events. */
export async function findUnpostedPart(
  book: OrderBook,
  uid: string,
  context: NodeContext,
): Promise<ProgrammaticResult<ReportedProgrammaticOrder | null>> {
  const { owner: account, validTo: until } = parseOrderUid(uid);
  const partContext = { ...context, until, missing: uid };
  const { result: orders, unknown } = await readCreatedOrders(book, { account }, partContext);
  const result = orders.find(({ parts }) => parts.some((part) => part.uid === uid)) ?? null;
  return { result, unknown };
}

/** Formats the state of a part that the service does not have, as one sentence. */
export function formatUnposted(uid: string, twap: ReportedProgrammaticOrder): string {
  const { part, state, validFrom, validTo } = twap.parts.find((candidate) =>
    candidate.uid === uid
  )!;
  const subject = `Part ${part} of ${twap.terms!.n} of a TWAP`;
  const time = `from ${formatInstant(validFrom)} to ${formatInstant(validTo)}`;
  const removal = twap.isAllowed === false ? ", and its owner has removed the TWAP" : "";
  if (state === "never_posted") {
    return `${subject} was never posted: it was valid ${time}${removal}.`;
  }
  return `${subject} is not posted yet: it is valid ${time}${removal}.`;
}

const NOT_CREATED_HERE = { trader: null, txHash: null, block: null, isAllowed: null };

function explainUnknownStart(why: string): ReportedUnknown {
  return {
    what: "twap_start",
    why,
    remedy: "Pass a node; for a TWAP that its owner has removed, an archive node",
  };
}

/** Reads the start of the TWAP of a part: as the contract keeps it now, or did when the part was posted. */
async function readStart(
  { owner, creationDate }: Order,
  id: string,
  node: ReportNode | undefined,
): Promise<bigint | null> {
  if (node === undefined) return null;
  const now = await fetchStart(node.rpc, { owner, id, block: "latest" });
  if (now === null || now > 0n) return now;
  const block = await findBlockAt(node, creationDate);
  return "reason" in block ? null : await fetchStart(node.rpc, { owner, id, block: block.number });
}

type ProgrammaticFacts =
  & Omit<ReportedProgrammaticOrder, "fault" | "parts" | "sentence">
  & Pick<ProgrammaticOrder, "startUnknown">;

/** The parts of a TWAP that a report needs. */
interface PartsContext {
  /** The time of the responses. */
  readonly now: Temporal.Instant;
  /** End of the part that is to be among those that are listed, in seconds. @default {now} */
  readonly until?: number;
  /** UID of a part that the service is known not to have. @default {none} */
  readonly missing?: string | undefined;
  /** Ends the requests. */
  readonly signal?: AbortSignal | undefined;
}

async function reportProgrammatic(
  book: OrderBook,
  { startUnknown, terms, ...facts }: ProgrammaticFacts,
  { now, until, missing, signal }: PartsContext,
): Promise<ReportedProgrammaticOrder> {
  const { id, owner, trader, handler, txHash, block, isAllowed } = facts;
  const fault = terms === null ? null : twapFault(terms);
  const isKnown = terms !== null && startUnknown === null && fault === null;
  const seconds = Math.floor(now.epochMilliseconds / 1_000);
  const first = isKnown ? findFirstListed(terms, until ?? seconds) : 1;
  const parts = isKnown
    ? await readParts(book, { owner, terms, first }, { seconds, missing, signal })
    : [];
  const removal = isAllowed === false ? "; its owner has removed it" : "";
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
    sentence: `${formatSentence({ terms, fault, parts, startUnknown, handler })}${removal}.`,
  };
}

/** The first part of which 500 are listed, so that the part of a time is among them. */
function findFirstListed({ t0, t, n }: TwapTerms, seconds: number): number {
  const begun = (BigInt(seconds) - t0) / t + 1n;
  const last = begun < n ? begun : n;
  return Math.max(1, Number(last) - MAX_PARTS + 1);
}

async function readParts(
  book: OrderBook,
  twap: { readonly owner: string; readonly terms: TwapTerms; readonly first: number },
  { seconds, missing, signal }: Pick<PartsContext, "missing" | "signal"> & {
    readonly seconds: number;
  },
): Promise<ReportedTwapPart[]> {
  const parts: { part: number; uid: string; validFrom: number; validTo: number }[] = [];
  for (const { part, uid, validFrom, order } of twapParts(book.domain, twap)) {
    parts.push({ part, uid, validFrom, validTo: order.validTo });
    if (parts.length === MAX_PARTS) break;
  }
  const dueUids = parts.filter(({ validFrom }) => validFrom <= seconds).map(({ uid }) => uid);
  const response = dueUids.length === 0
    ? { orders: [], missing: [] }
    : recordOrNull(await fetchOptional(() => book.orders(dueUids, { signal }), () => {}));
  const states = new Map<string, TwapPartState>([
    ...(response?.orders ?? []).map(({ uid, status }) => [uid.toLowerCase(), status] as const),
  ]);
  const missingUids = new Set([missing, ...response?.missing ?? []]);
  return parts.map(({ part, uid, validFrom, validTo }) => {
    const unposted = validTo < seconds ? "never_posted" : "not_posted_yet";
    return {
      part,
      uid,
      validFrom: toInstant(validFrom),
      validTo: toInstant(validTo),
      state: states.get(uid) ??
        (validFrom > seconds ? "not_due" : missingUids.has(uid) ? unposted : "unread"),
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

function formatSentence(
  { terms, fault, parts, startUnknown, handler }:
    & Pick<ReportedProgrammaticOrder, "terms" | "fault" | "parts" | "handler">
    & Pick<ProgrammaticFacts, "startUnknown">,
): string {
  if (terms === null) return `Programmatic order of the handler ${handler}`;
  const subject = `TWAP of ${terms.n} parts`;
  if (fault !== null) return `${subject}, which the contract refuses with "${fault}"`;
  if (startUnknown !== null) {
    return `${subject}, one every ${formatSpan(terms.t * 10n ** 9n)}, whose start is not known`;
  }
  const counts = STATES.flatMap(([state, words]) => {
    const count = parts.filter((part) => part.state === state).length;
    return count === 0 ? [] : [`${count} ${words}`];
  });
  const listedPart = BigInt(parts.length) < terms.n ? `, of which ${parts.length} are listed` : "";
  return `${subject}${listedPart}: ${counts.join(", ")}`;
}
