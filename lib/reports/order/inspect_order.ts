import type { OrderBook } from "../../client/order_book.ts";
import { requireHex } from "../../endpoints/calls.ts";
import type { CallOptions, Progress } from "../../endpoints/mod.ts";
import { checkOptions, defineRule, isWhole, type OptionRules } from "../../errors/option_rules.ts";
import type { NodeSource } from "../../evm/mod.ts";
import type { Order } from "../../schemas/mod.ts";
import { assembleReport, type ReportParts } from "./assemble_report.ts";
import { addWalk, findLastUnbid, gatherEvidence, type OrderRecords } from "./gather_evidence.ts";
import { LAST_AUCTION_CAUSES } from "./judge_order.ts";
import { suggestSteps } from "./next_steps.ts";
import { addMoney } from "./order_money.ts";
import { addFailures } from "./settlement_failures.ts";
import { createReportNode, type OrderReport, type ReportNode } from "./order_report.ts";
import { findUnpostedPart, formatUnposted, readParentOrder } from "./programmatic_orders.ts";
import { reportIdentity } from "./report_parts.ts";
import type { WalkLimits } from "./walk_lifetime.ts";
import { DEEP_IDS } from "./walk_text.ts";

/** Options of reports about auctions and transactions. */
export interface InspectNounOptions extends CallOptions {
  /** A node, for the times of blocks: its URL, a recording or the sandbox. @default {none} */
  node?: NodeSource | undefined;
  /** Names of solvers by address, which come before those that ship. @default {none} */
  solvers?: ReadonlyMap<string, string> | undefined;
}

/** Allowed values of the {@linkcode InspectNounOptions}. */
export const INSPECT_NOUN_OPTIONS: OptionRules<InspectNounOptions> = {
  node: defineRule("the URL of a node, a recording or a sandbox", (node) => node !== null),
  solvers: defineRule("a Map of names by address", (solvers) => solvers instanceof Map),
  signal: AbortSignal,
};

/** Limits of what the report of an order spends on the auctions of its lifetime. */
export interface InspectBudget {
  /** Number of requests at most. */
  requests?: number | undefined;
  /** Milliseconds at most. */
  ms?: number | undefined;
}

/** Options of {@linkcode inspectOrder}. */
export interface InspectOptions extends InspectNounOptions {
  /**
   * A node, for the times of blocks, for what the owner has now and had when the service left the order
   * out, for where an EthFlow order was placed and refunded, and for settlements that failed: its URL, a
   * recording or the sandbox. What the owner had, and why a settlement failed, need an archive node, unless
   * it was minutes ago. One that fails, hangs or is of another chain takes about half a minute, once: the
   * report names it in `unknown`, and does without.
   * @default {none}
   */
  node?: NodeSource | undefined;
  /**
   * The time of the answers. It only adds to them: whether an order is open, the reported status says.
   * @default {the time of the book's clock; of a recording the latest time in the answers}
   */
  now?: Temporal.Instant | undefined;
  /** The order, if it was read already. @default {it is requested} */
  order?: Order | undefined;
  /**
   * Limits of what the report of an order spends on the auctions of its lifetime, where neither a debug report
   * nor its trades explain it: the newest are looked at first, then others by halves. It takes at most
   * half of what the rate limit leaves. Requests alone have no time limit, and a time alone has no limit
   * of requests; `{ requests: 0 }` looks at none.
   * @default {40 requests, 10,000 ms}
   */
  budget?: InspectBudget | undefined;
  /**
   * Whether to walk all auctions of its lifetime without a budget where there is no debug report, and
   * the number of ids at most (`true`: 1,000): some 25 requests for the range, and one for each id, four
   * at a time. @default {false}
   */
  deep?: boolean | number | undefined;
  /** Called for each auction id that is walked. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /**
   * Owners whose orders capture surplus although no auction lists them.
   * @default {those of a recording; none elsewhere}
   */
  surplusCapturingJitOrderOwners?: readonly string[] | undefined;
}

const ACTION = "Cannot inspect an order";

const OPTIONS: OptionRules<InspectOptions> = {
  ...INSPECT_NOUN_OPTIONS,
  now: defineRule("a Temporal.Instant", (now) => now instanceof Temporal.Instant),
  order: defineRule("a decoded order", (order) => typeof Object(order).uid === "string"),
  budget: defineRule(
    "{ requests, ms }, whole numbers from 0, of at most an hour",
    (budget) => isBudget(budget),
  ),
  deep: defineRule(
    "true, false, or a whole number of auction ids from 1",
    (deep) => typeof deep === "boolean" || isWhole(deep, 1),
  ),
  onProgress: Function,
  surplusCapturingJitOrderOwners: defineRule("an array of addresses", Array.isArray),
};

/** The longest budget, in milliseconds. */
export const MAX_BUDGET_MS = 3_600_000;

function isBudget(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { requests, ms, ...otherLimits } = value as Record<string, unknown>;
  return Object.keys(otherLimits).length === 0 &&
    (requests === undefined || isWhole(requests, 0)) &&
    (ms === undefined || isWhole(ms, 0) && (ms as number) <= MAX_BUDGET_MS);
}

/** The budget of a report, unless a caller says otherwise. */
const BUDGET = { requests: 40, ms: 10_000 };

/** Reads the limits of a walk from the options of a report; `null` if it is not to walk. */
function readLimits(
  { deep = false, budget = {} }: Pick<InspectOptions, "deep" | "budget">,
): WalkLimits | null {
  if (deep !== false) {
    return { requests: Infinity, ms: Infinity, ids: deep === true ? DEEP_IDS : deep };
  }
  const isGiven = budget.requests !== undefined || budget.ms !== undefined;
  const { requests = Infinity, ms = Infinity } = isGiven ? budget : BUDGET;
  return requests === 0 || ms === 0 ? null : { requests, ms, ids: Infinity };
}

/**
 * Inspects one order: a verdict with its evidence.
 *
 * Works with public answers alone; with the order's debug report it says more, and never something
 * else: what the responses do not show is `unknown`, with the causes that fit in `possible`. Without
 * one, it looks at auctions of the order's lifetime within a budget: `evidence.walked` has which.
 *
 * @param book The deployment, a recording, a dataset or the sandbox.
 * @param uid UID of the order.
 * @param options A node for times, and what else is known.
 * @returns Plain data with every amount in atoms.
 * @throws {InputError} If the UID or an option is invalid.
 * @throws {OrderlensError} If a request to the deployment fails for another reason than that something
 * is missing.
 *
 * @example An order that nobody bid on
 * ```ts
 * import { connect } from "orderlens";
 * import { inspectOrder } from "orderlens/reports";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const recording = await replay("market_1");
 * const report = await inspectOrder(connect(recording), recording.recorded.orderUids[0]!);
 *
 * assertEquals(report.verdict.startsWith("expired_"), true);
 * ```
 */
export async function inspectOrder(
  book: OrderBook,
  uid: string,
  options: InspectOptions = {},
): Promise<OrderReport> {
  checkOptions(options, OPTIONS, ACTION);
  return await inspectRecords(book, uid, options);
}

/**
 * Inspects an order with checked options.
 *
 * @param options Its options; and `asOf` of records whose own time is not known: the latest time in them.
 */
export async function inspectRecords(
  book: OrderBook,
  uid: string,
  options: InspectOptions & Pick<ReportParts, "asOf">,
): Promise<OrderReport> {
  const id = requireHex(uid, "an order UID").toLowerCase();
  const { chainId } = book;
  const { signal } = options;
  const node = createReportNode(options.node, { chainId, signal });
  const report = await buildOrderReport(book, id, {
    ...options,
    limits: readLimits(options),
    node,
  });
  const { order } = report;
  const identity = order === null ? null : await reportIdentity(book, id, order);
  const whole = await addProgrammatic(book, { ...report, identity }, { node, signal });
  const explained = await addFailures(book, whole, { node, signal });
  return await addMoney(book, explained, { node, signal });
}

/**
 * The report of an order by its UID in lower case, without who signed it, what it is a part of, why its
 * settlements failed, and where its money is.
 *
 * @param options Its options; without the `limits` of a walk, none is made.
 */
export async function buildOrderReport(
  book: OrderBook,
  uid: string,
  options: Omit<InspectOptions, "node" | "budget"> & {
    readonly node?: ReportNode | undefined;
    readonly limits?: WalkLimits | null | undefined;
    readonly asOf?: ReportParts["asOf"];
  },
): Promise<OrderReport> {
  const { limits = null } = options;
  let records = await gatherEvidence(book, uid, options);
  if (limits !== null && await mayWalkExplain(book, uid, records, options)) {
    records = await addWalk(book, records, { ...options, limits });
  }
  const lastUnbid = await findLastUnbid(book, records, options.signal);
  return await assembleReport(book, uid, { records, lastUnbid, ...options });
}

/**
 * Whether the auctions of its lifetime may explain an order. A debug report has them; without one,
 * unless all are wanted, they may if the responses leave open what its last auction did with it.
 */
async function mayWalkExplain(
  book: OrderBook,
  uid: string,
  records: OrderRecords,
  { node: _, ...options }: Parameters<typeof buildOrderReport>[2],
): Promise<boolean> {
  if (records.order === null || typeof records.debugReport !== "string") return false;
  if (options.deep !== undefined && options.deep !== false) return true;
  return isLeftToAuctions(await assembleReport(book, uid, { records, ...options }));
}

/** Whether a report leaves open what the last auction of its order did with it. */
export function isLeftToAuctions({ cause, possible }: OrderReport): boolean {
  return cause === "evidence_gone" ||
    cause === "unknown" && possible.some((each) => LAST_AUCTION_CAUSES.includes(each));
}

/** The report with the TWAP that the order is a part of, posted or not. */
async function addProgrammatic(
  book: OrderBook,
  report: OrderReport,
  context: { readonly node: ReportNode | undefined; readonly signal: AbortSignal | undefined },
): Promise<OrderReport> {
  const { uid, order, asOf } = report;
  if (order === null) {
    const { result: programmatic, unknown } = await findUnpostedPart(book, uid, context);
    if (programmatic === null) return { ...report, unknown: [...report.unknown, ...unknown] };
    const [verdict, sentence] = ["part_not_posted", formatUnposted(uid, programmatic)] as const;
    const unposted = { ...report, verdict, cause: verdict, sentence, programmatic, unknown: [] };
    return { ...unposted, next: suggestSteps(unposted) };
  }
  const { result: parent, unknown: unknowns } = await readParentOrder(book, order, {
    ...context,
    now: asOf!,
  });
  const newUnknowns = unknowns.filter(({ why }) => why !== context.node?.failure?.why);
  return { ...report, programmatic: parent, unknown: [...report.unknown, ...newUnknowns] };
}
