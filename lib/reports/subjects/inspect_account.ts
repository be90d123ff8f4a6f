import type { OrderBook } from "../../client/order_book.ts";
import {
  DEFAULT_CONCURRENCY,
  mapInOrder,
  type Progress,
  requireHex,
} from "../../endpoints/calls.ts";
import { NotRecordedError } from "../../errors/mod.ts";
import { checkOptions, type OptionRules, wholeNumber } from "../../errors/option_rules.ts";
import { isNotComputable } from "../../metrics/mod.ts";
import type { Order } from "../../schemas/mod.ts";
import { assembleReport } from "../order/assemble_report.ts";
import { gatherEvidence } from "../order/gather_evidence.ts";
import {
  createReportNode,
  type OrderReport,
  reportDeployment,
  type ReportedDeployment,
  type ReportedUnknown,
  type ReportNode,
} from "../order/order_report.ts";
import { readCreatedOrders } from "../order/programmatic_orders.ts";
import { areAllFills } from "../order/report_parts.ts";
import { fetchOptional, MissingResponses, recordOrNull } from "../order/report_requests.ts";
import type { OrderVerdict, ReportedProgrammaticOrder } from "../order/verdicts.ts";
import { INSPECT_NOUN_OPTIONS, type InspectNounOptions } from "../order/inspect_order.ts";
import { pluralize } from "../../units/format.ts";
import { HexMap } from "../../units/mod.ts";
import { formatCounts } from "./settled_orders.ts";

/** Options of {@linkcode inspectAccount}. */
export interface InspectAccountOptions extends InspectNounOptions {
  /** Number of orders to judge, newest first: each takes three or four requests. @default {20} */
  orders?: number | undefined;
  /** Called for each order that is judged. */
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** One order of an account. */
export interface AccountOrder extends
  Pick<
    Order,
    | "uid"
    | "status"
    | "kind"
    | "sellToken"
    | "buyToken"
    | "sellAmount"
    | "buyAmount"
    | "executedSellAmount"
    | "executedSellAmountBeforeFees"
    | "executedBuyAmount"
    | "creationDate"
  >,
  Pick<OrderReport, "verdict" | "cause" | "possible" | "sentence"> {
  /**
   * Surplus of its fills over its limit, in atoms of the surplus token; `null` without a fill, or where
   * not all of them are known.
   */
  readonly surplusAtoms: bigint | null;
}

/** The orders of one account: plain data. Every amount is in atoms. */
export interface AccountReport {
  /** Always `orderlens/inspect-account@1`. */
  readonly schema: "orderlens/inspect-account@1";
  /** Address of the account, in lower case. */
  readonly account: string;
  /** Deployment of the account. */
  readonly deployment: ReportedDeployment;
  /** Summary of its orders, as one sentence. */
  readonly sentence: string;
  /** Its newest orders, newest first, each with its verdict. */
  readonly orders: readonly AccountOrder[];
  /** Whether it has more orders than these. */
  readonly hasMore: boolean;
  /** Orders by verdict, most first. */
  readonly verdicts: readonly { readonly verdict: OrderVerdict; readonly count: number }[];
  /**
   * TWAPs and other programmatic orders that it or its CoW Shed proxy created, whose orders are not in
   * `orders`; empty without a node.
   */
  readonly programmatic: readonly ReportedProgrammaticOrder[];
  /** Surplus since March 2023 in wei, as the service computes it; `null` if it gives none. */
  readonly totalSurplus: bigint | null;
  /** Facts that cannot be determined. */
  readonly unknown: readonly ReportedUnknown[];
}

const ACTION = "Cannot inspect an account";
const DEFAULT_ORDERS = 20;

const OPTIONS: OptionRules<InspectAccountOptions> = {
  ...INSPECT_NOUN_OPTIONS,
  orders: wholeNumber(1, 1_000),
  onProgress: Function,
};

/**
 * Inspects the newest orders of one account: a verdict for each, and counts by verdict.
 *
 * Requests its orders, then what each of them needs, four orders at a time.
 *
 * @param book The deployment, a recording, a dataset or the sandbox.
 * @param account Address of the account.
 * @returns Plain data with every amount in atoms.
 * @throws {InputError} If the address or an option is invalid.
 * @throws {OrderlensError} If a request fails for another reason than that something is missing.
 *
 * @example An account of a recording
 * ```ts
 * import { connect } from "orderlens";
 * import { inspectAccount } from "orderlens/reports";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const recording = await replay("market_1");
 * const report = await inspectAccount(connect(recording), recording.recorded.accounts[0]!, { orders: 2 });
 *
 * assertEquals([report.orders.length, report.hasMore], [2, true]);
 * ```
 */
export async function inspectAccount(
  book: OrderBook,
  account: string,
  options: InspectAccountOptions = {},
): Promise<AccountReport> {
  checkOptions(options, OPTIONS, ACTION);
  requireHex(account, "an address");
  const { orders: maxOrders = DEFAULT_ORDERS, signal } = options;
  const node = createReportNode(options.node, { chainId: book.chainId, signal });
  const gaps = new MissingResponses();
  const [list, surplus, programmatic] = await Promise.all([
    listOrders(book, account, { limit: maxOrders + 1, signal }),
    fetchOptional(
      async () => ({ wei: await book.totalSurplus(account, { signal }) }),
      gaps.note("total_surplus", "The total surplus of the account"),
    ),
    readCreatedOrders(book, { account }, { node, signal }),
  ]);
  const listed = list ?? { orders: [], unreadable: 0 };
  const quotedOrders = await addQuotes(book, listed.orders.slice(0, maxOrders), gaps, signal);
  const orders = await judgeOrders(book, quotedOrders, {
    ...options,
    node,
    gaps,
  });
  const verdicts = countVerdicts(orders);
  // Contracts alone generate orders, and sign them by ERC-1271.
  const mayBeProgrammatic = programmatic.result.length > 0 || quotedOrders.length === 0 ||
    quotedOrders.some(({ signingScheme }) => signingScheme === "eip1271");
  const hasMore = listed.orders.length > maxOrders;
  return {
    schema: "orderlens/inspect-account@1",
    account: account.toLowerCase(),
    deployment: reportDeployment(book),
    sentence: `${list === null ? NOT_RECORDED : formatSentence(orders, hasMore)}${
      formatCreated(programmatic.result)
    }`,
    orders,
    hasMore,
    verdicts,
    programmatic: programmatic.result,
    totalSurplus: recordOrNull(surplus)?.wei ?? null,
    unknown: [
      ...node?.failure == null ? [] : [{ what: "node", ...node.failure }],
      ...gaps.unknown,
      ...listUnknowns({ orders, hasMore, isListed: list !== null, unreadable: listed.unreadable }),
      ...(mayBeProgrammatic ? programmatic.unknown : []).filter(({ why }) =>
        why !== node?.failure?.why
      ),
    ],
  };
}

const NOT_RECORDED = "The orders of this account are not in the recording.";

/**
 * Fetches the newest orders of an account; `null` if a recording lacks their list.
 *
 * @throws {OrderlensError} If a request fails.
 */
async function listOrders(
  book: OrderBook,
  account: string,
  { limit, signal }: { readonly limit: number; readonly signal: AbortSignal | undefined },
): Promise<{ orders: Order[]; unreadable: number } | null> {
  let unreadable = 0;
  const rows = book.accountOrders(account, { limit, signal, onFailure: () => void unreadable++ });
  try {
    return { orders: await Array.fromAsync(rows), unreadable };
  } catch (error) {
    if (error instanceof NotRecordedError) return null;
    throw error;
  }
}

/**
 * Fetches the quotes of orders that nobody may have bid on, by which their limits are judged: the list of
 * an account has none.
 */
async function addQuotes(
  book: OrderBook,
  orders: readonly Order[],
  gaps: MissingResponses,
  signal: AbortSignal | undefined,
): Promise<Order[]> {
  const uids = orders.filter(({ quote, status }) => quote == null && UNFILLED.has(status))
    .map(({ uid }) => uid);
  if (uids.length === 0) return [...orders];
  const result = await fetchOptional(
    () => book.orders(uids, { signal }),
    gaps.note("quotes", "The quotes of the orders"),
  );
  const orderRecords = recordOrNull(result)?.orders ?? [];
  const quotes = new HexMap(orderRecords.map(({ uid, quote }) => [uid, quote]));
  return orders.map((order) => {
    const quote = quotes.get(order.uid);
    return quote == null ? order : { ...order, quote };
  });
}

const UNFILLED: ReadonlySet<Order["status"]> = new Set(["open", "expired"]);

async function judgeOrders(
  book: OrderBook,
  orders: readonly Order[],
  { node, solvers, onProgress, gaps, signal }: Omit<InspectAccountOptions, "node"> & {
    readonly node: ReportNode | undefined;
    readonly gaps: MissingResponses;
  },
): Promise<AccountOrder[]> {
  const rows: AccountOrder[] = [];
  const judgeOrder = async (order: Order, taskSignal: AbortSignal): Promise<AccountOrder> => {
    const records = await gatherEvidence(book, order.uid, { order, signal: taskSignal });
    gaps.add(records.missing);
    const report = await assembleReport(book, order.uid, {
      records,
      node,
      solvers,
      signal: taskSignal,
    });
    const { verdict, cause, possible, sentence } = report;
    const surplusAtoms = sumSurplus(order, report);
    return { ...toOrderFields(order), verdict, cause, possible, sentence, surplusAtoms };
  };
  for await (
    const row of mapInOrder(orders, judgeOrder, { concurrency: DEFAULT_CONCURRENCY, signal })
  ) {
    rows.push(row);
    onProgress?.({ done: rows.length, total: orders.length });
  }
  return rows;
}

/** Sums the surplus of an order's fills, if together they are all that it executed. */
function sumSurplus(order: Order, { fills }: OrderReport): bigint | null {
  if (fills.length === 0 || !areAllFills(order, fills)) return null;
  let sum = 0n;
  for (const { surplusAtoms } of fills) {
    if (isNotComputable(surplusAtoms)) return null;
    sum += surplusAtoms;
  }
  return sum;
}

function toOrderFields(
  order: Order,
): Omit<AccountOrder, "verdict" | "cause" | "possible" | "sentence" | "surplusAtoms"> {
  const { uid, status, kind, sellToken, buyToken, creationDate, sellAmount, buyAmount } = order;
  const { executedSellAmount, executedSellAmountBeforeFees, executedBuyAmount } = order;
  return {
    ...{ uid, status, kind, sellToken, buyToken, creationDate, sellAmount, buyAmount },
    ...{ executedSellAmount, executedSellAmountBeforeFees, executedBuyAmount },
  };
}

function countVerdicts(orders: readonly AccountOrder[]): AccountReport["verdicts"] {
  const counts = Map.groupBy(orders, ({ verdict }) => verdict);
  return [...counts].map(([verdict, same]) => ({ verdict, count: same.length }))
    .sort((a, b) => b.count - a.count || (a.verdict < b.verdict ? -1 : 1));
}

const STATUSES = [
  ["fulfilled", "filled"],
  ["open", "open"],
  ["presignaturePending", "waiting for a pre-signature"],
  ["expired", "expired"],
  ["cancelled", "cancelled"],
] as const;

function formatSentence(orders: readonly AccountOrder[], hasMore: boolean): string {
  const [first, second] = orders;
  if (first === undefined) return "This deployment has no order of this account.";
  if (second === undefined && !hasMore) return `One order: ${first.sentence}`;
  const parts = formatCounts(...STATUSES.map(([status, words]) => {
    const same = orders.filter((order) => order.status === status);
    return [same.length, words] as const;
  }));
  const subject = `${hasMore ? "newest " : ""}${pluralize(orders.length, "order")}`;
  return `Of its ${subject}: ${parts.join(", ")}.`;
}

/** Formats the programmatic orders that it created in addition to its listed orders. */
function formatCreated(programmatic: AccountReport["programmatic"]): string {
  if (programmatic.length === 0) return "";
  const byProxy = programmatic.filter(({ trader }) => trader !== null).length;
  const proxy = byProxy === 0 ? "" : `, ${byProxy} by its CoW Shed proxy`;
  return ` It created ${pluralize(programmatic.length, "programmatic order")}${proxy}.`;
}

function listUnknowns(
  { orders, hasMore, isListed, unreadable }: {
    readonly orders: readonly AccountOrder[];
    readonly hasMore: boolean;
    readonly isListed: boolean;
    readonly unreadable: number;
  },
): ReportedUnknown[] {
  const undecided = orders.filter(({ cause }) => cause === "unknown").length;
  return [
    ...isListed ? [] : [{
      what: "orders",
      why: "The orders of this account were not recorded",
      remedy: "Inspect single orders by their UIDs",
    }],
    ...unreadable === 0 ? [] : [{
      what: "unreadable_orders",
      why: `${pluralize(unreadable, "order")} could not be read`,
      remedy: "Report it: the service sends something that the library does not know",
    }],
    ...!hasMore ? [] : [{
      what: "older_orders",
      why: `Only its newest ${pluralize(orders.length, "order")} ${
        orders.length === 1 ? "was" : "were"
      } judged`,
      remedy: "Pass a larger number as `orders` in code",
    }],
    ...undecided === 0 ? [] : [{
      what: "causes",
      why: `The responses do not show why ${pluralize(undecided, "order")} expired or stayed open`,
      remedy:
        "Inspect each: with `deep` in code, --deep on the command line, or an API key of a partner",
    }],
  ];
}
