import { InputError } from "../errors/mod.ts";
import type { NodeSource } from "../evm/mod.ts";
import { type Frame, records } from "../tables/mod.ts";
import { pluralize } from "../units/format.ts";
import type { MarketOptions, OrderPopulation } from "./market_options.ts";
import type { MarketRecords } from "./market_records.ts";

/** The first and the last of something. */
export interface Span<Value> {
  /** The first. */
  readonly from: Value;
  /** The last. */
  readonly to: Value;
}

/** The auctions of a market. */
export interface MarketSpan {
  /** Number of auctions for which solvers proposed solutions. */
  readonly auctions: number;
  /** Ids of the first and the last of them; `null` without any. */
  readonly ids: Span<number> | null;
  /** Start blocks of the first and the last of them; `null` without any. */
  readonly blocks: Span<number> | null;
  /** Starts of the first and the last of them, RFC 3339; `null` if unknown. */
  readonly times: Span<string> | null;
  /** Basis of these times; `bracketed` ones are the earliest possible. */
  readonly timeBasis: readonly string[];
}

/** Summary of a market, which `show(market)` prints. */
export interface MarketDescription extends MarketSpan {
  /** Source of the market. */
  readonly source: string;
  /** Chain id. */
  readonly chainId: number;
  /** Settlement contract. */
  readonly settlementContract: string;
  /** Number of orders. */
  readonly orders: number;
  /** Description of these orders, the denominator of shares. */
  readonly ordersHeld: string;
  /** Number of fills. */
  readonly fills: number;
  /**
   * Number of requests that the connection to a live deployment has sent, without those to a node; `null`
   * of anything else, and of a transport that does not count them.
   */
  readonly requests: number | null;
  /** Gaps and their reasons, in sentences. */
  readonly missing: readonly string[];
}

/** Columns of a table of auctions that determine its span. */
interface AuctionRow {
  readonly auction_id: number;
  readonly auction_start_block: number;
  readonly auction_at: string | null;
  readonly time_basis: string | null;
}

/** Measures the span of a table of auctions. */
export function measureSpan(auctions: Frame): MarketSpan {
  const columns = ["auction_id", "auction_start_block", "auction_at", "time_basis"];
  const rows = records<AuctionRow>(auctions.select(...columns));
  return {
    auctions: rows.length,
    ids: findEnds(rows.map((row) => row.auction_id), (a, b) => a - b),
    blocks: findEnds(rows.map((row) => row.auction_start_block), (a, b) => a - b),
    times: findEnds(rows.flatMap((row) => row.auction_at ?? []), Temporal.Instant.compare),
    timeBasis: [...new Set(rows.flatMap((row) => row.time_basis ?? []))].sort(),
  };
}

function findEnds<Value>(
  values: readonly Value[],
  compare: (a: Value, b: Value) => number,
): Span<Value> | null {
  const ascending = values.toSorted(compare);
  return ascending.length === 0 ? null : { from: ascending[0]!, to: ascending.at(-1)! };
}

const POPULATIONS: Readonly<Record<OrderPopulation, string>> = {
  listed: "every order that an auction lists",
  bid: "orders that solvers bid on",
  winning: "orders of winning solutions",
};

/** Condition for orders without a bid. */
const WITHOUT_BID =
  /\bnot\s*\(?\s*(?:\w+\.)?had_bid\b|\bhad_bid\s*(?:(?:==?|is)\s*false|(?:<>|!=|is\s+not|is\s+distinct\s+from)\s*true)\b/i;

/**
 * Rejects a query for orders without a bid if the market has none of them: its result would be empty,
 * whatever auctions listed.
 *
 * @throws {InputError} If the query selects them.
 */
export function requireUnbidOrders(
  query: string,
  population: OrderPopulation,
  { accounts }: Pick<MarketOptions, "accounts">,
): void {
  if (population === "listed" || accounts !== undefined || !WITHOUT_BID.test(query)) return;
  throw new InputError("Cannot query orders without a bid: this market does not hold them", {
    facts: { "it holds": POPULATIONS[population] },
    remedy:
      'Open it with { orders: "listed" }; on a public network that takes a request for each ' +
      "of thousands of orders",
  });
}

/** Describes the orders of records. */
export function formatOrders({ accounts }: MarketRecords, population: OrderPopulation): string {
  if (accounts !== null) {
    const share = accounts.read === accounts.bidding ? "all" : `${accounts.read} of`;
    return `orders of ${share} ${accounts.bidding} accounts that solvers bid for`;
  }
  return POPULATIONS[population];
}

/** Lists the gaps of records, with their reasons. */
export function listGaps(
  { competitions, times, instances, ...records }: MarketRecords,
  { node, population }: {
    readonly node: NodeSource | null;
    readonly population: OrderPopulation;
  },
): string[] {
  const { accounts, missing, failed, withoutFills, reportsRefused } = records;
  const unstated = instances === null ? 0 : competitions.length - instances.length;
  const undated = competitions.filter(({ auctionId }) => times.auction(auctionId) === null).length;
  return [
    ...accounts === null || accounts.note === "" ? [] : [accounts.note.trim()],
    ...accounts !== null || population === "listed"
      ? []
      : ['Orders that nobody bid on: pass `orders: "listed"` to read them too.'],
    ...withoutFills.length === 0 ? [] : [
      `Fills of ${pluralize(withoutFills.length, "order")} that nobody bid on in these auctions.`,
    ],
    ...reportsRefused === null ? [] : [`Debug reports: ${reportsRefused.remedy}.`],
    ...missing.length === 0 ? [] : [`Orders that the service does not have: ${missing.length}.`],
    ...failed.length === 0 ? [] : [`Orders that could not be read: ${failed.length}.`],
    ...node === null
      ? [
        "Settlements on the chain, and times of blocks: pass the URL of a node, as `node` in code.",
      ]
      : [],
    ...unstated === 0 ? [] : [
      `Instances of ${
        pluralize(unstated, "auction")
      }: their store does not have them, or no longer, ` +
      "refuses them, or has others or what cannot be read.",
    ],
    ...undated === 0 ? [] : [`Auctions of unknown time: ${undated}.`],
  ];
}

/** Summarizes a description, as `show` prints it. */
export function summarize(
  { source, auctions, ids, blocks, times, timeBasis, ...facts }: MarketDescription,
): Record<string, unknown> {
  const formatSpan = <Value>(span: Span<Value> | null) =>
    span === null ? "none" : `${span.from} to ${span.to}`;
  return {
    source,
    deployment: `chain ${facts.chainId}, settlement contract ${facts.settlementContract}`,
    auctions,
    ids: formatSpan(ids),
    blocks: formatSpan(blocks),
    times: times === null ? "unknown" : `${formatSpan(times)} (${timeBasis.join(", ")})`,
    orders: `${facts.orders}: ${facts.ordersHeld}`,
    fills: facts.fills,
    ...facts.requests !== null && { requests: facts.requests },
    missing: facts.missing.length === 0 ? "nothing" : facts.missing,
  };
}
