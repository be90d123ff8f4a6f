import type { OrderBook } from "../../client/order_book.ts";
import { requireHex } from "../../endpoints/calls.ts";
import type { CallOptions, Progress } from "../../endpoints/mod.ts";
import { checkOptions, defineRule, isWhole, type OptionRules } from "../../errors/option_rules.ts";
import type { NodeSource } from "../../evm/mod.ts";
import type { Order } from "../../schemas/mod.ts";
import { assembleReport } from "./assemble_report.ts";
import { findLastUnbid, gatherEvidence } from "./gather_evidence.ts";
import { suggestSteps } from "./next_steps.ts";
import { addMoney } from "./order_money.ts";
import { addFailures } from "./settlement_failures.ts";
import { createReportNode, type OrderReport, type ReportNode } from "./order_report.ts";
import { findUnpostedPart, formatUnposted, readParentOrder } from "./programmatic_orders.ts";
import { reportIdentity } from "./report_parts.ts";

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
   * Whether to walk the auctions of its lifetime where there is no debug report, and the number of ids
   * at most (`true`: 1,000): some 60 requests for the range, and one for each id, four at a time.
   * @default {false}
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
  deep: defineRule(
    "true, false, or a whole number of auction ids from 1",
    (deep) => typeof deep === "boolean" || isWhole(deep, 1),
  ),
  onProgress: Function,
  surplusCapturingJitOrderOwners: defineRule("an array of addresses", Array.isArray),
};

/**
 * Inspects one order: a verdict with its evidence.
 *
 * Works with public answers alone; with the order's debug report it says more, and never something
 * else: what the responses do not show is `unknown`, with the causes that fit in `possible`.
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
  const id = requireHex(uid, "an order UID").toLowerCase();
  const { chainId } = book;
  const { signal } = options;
  const node = createReportNode(options.node, { chainId, signal });
  const report = await buildOrderReport(book, id, { ...options, node });
  const { order } = report;
  const identity = order === null ? null : await reportIdentity(book, id, order);
  const whole = await addProgrammatic(book, { ...report, identity }, { node, signal });
  const explained = await addFailures(book, whole, { node, signal });
  return await addMoney(book, explained, { node, signal });
}

/**
 * The report of an order by its UID in lower case, without who signed it, what it is a part of, why its
 * settlements failed, and where its money is.
 */
export async function buildOrderReport(
  book: OrderBook,
  uid: string,
  options: Omit<InspectOptions, "node"> & { readonly node?: ReportNode | undefined },
): Promise<OrderReport> {
  const records = await gatherEvidence(book, uid, options);
  const lastUnbid = await findLastUnbid(book, records, options.signal);
  return await assembleReport(book, uid, { records, lastUnbid, ...options });
}

/** The report with the TWAP that the order is a part of, posted or not. */
async function addProgrammatic(
  book: OrderBook,
  report: OrderReport,
  context: { readonly node: ReportNode | undefined; readonly signal: AbortSignal | undefined },
): Promise<OrderReport> {
  const { uid, order, asOf } = report;
  if (order === null) {
    const programmatic = await findUnpostedPart(book, uid, context);
    if (programmatic === null) return report;
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
