import { compare, fraction, grouped, lines, round, sum } from "./lines.ts";
import type { Auction, Bid, Fee, Market, Order, ReportPolicy, Solution } from "./raw_market.ts";
import { quoteFee } from "./trade_answers.ts";
import { rawRewards, readRawMarket } from "../../tables/rewards/raw_rewards.ts";

const E18 = 10n ** 18n;

function kindOf({ policy }: Fee): string {
  const [kind] = Object.keys(policy);
  return kind!;
}

/** Question 4: partner fees are the last ones, one for each of the app data. */
export function fees(market: Market): string {
  const charged = market.trades.flatMap((trade) => {
    const document = JSON.parse(market.orders.get(trade.orderUid)!.fullAppData ?? "{}");
    const asked = [document.metadata?.partnerFee ?? []].flat();
    const day = new Date(market.blocks[trade.blockNumber]! * 1_000).toISOString().slice(0, 10);
    const first = trade.executedProtocolFees.length - asked.length;
    return trade.executedProtocolFees.map((fee, index) => ({
      key: [
        day,
        kindOf(fee),
        index >= first,
        asked[index - first]?.recipient.toLowerCase() ?? null,
        market.names.get(fee.token)!,
      ],
      amount: fee.amount,
    }));
  });
  const rows = grouped(charged, ({ key }) => key)
    .map(({ key, all }) => [...key, all.length, sum(all.map(({ amount }) => amount))]);
  return lines("day,policy_kind,is_partner,recipient,fee_symbol,row_count,fee_atoms", rows, 5);
}

/** A share of an amount, as the service takes it: a double of 18 places, rounded down. */
const part = (amount: bigint, share: number) => amount * BigInt(Math.round(share * 1e18)) / E18;

const ceil = (a: bigint, b: bigint) => (a + b - 1n) / b;

/** How much better than a limit an execution is, in its surplus token. */
function surplus(kind: Order["kind"], [sell, buy]: bigint[], [sold, bought]: bigint[]): bigint {
  return kind === "sell" ? bought! - ceil(sold! * buy!, sell!) : sell! * bought! / buy! - sold!;
}

/** The limit that a price improvement is measured from: the net quote, or the order's own. */
function quotedLimit({ kind, quote, ...order }: Order): bigint[] {
  const [sell, buy] = [BigInt(order.sellAmount), BigInt(order.buyAmount)];
  const [quoteSell, quoteBuy] = [BigInt(quote.sellAmount), BigInt(quote.buyAmount)];
  const fee = quoteFee(quote);
  if (kind === "buy") {
    const limit = (quoteSell + fee) * buy / quoteBuy;
    return [limit < sell ? limit : sell, buy];
  }
  const limit = (quoteBuy - fee * quoteBuy / quoteSell) * sell / quoteSell;
  return [sell, limit > buy ? limit : buy];
}

/** What the policies of an order charge on a bid, from the last to the first. */
function feesOf(order: Order, bid: Bid, policies: readonly ReportPolicy[]): bigint {
  const isSell = order.kind === "sell";
  let total = 0n;
  for (const policy of policies.toReversed()) {
    const sold = BigInt(bid.sellAmount) - (isSell ? 0n : total);
    const bought = BigInt(bid.buyAmount) + (isSell ? total : 0n);
    const ofVolume = (factor: number) =>
      isSell ? part(bought, factor / (1 - factor)) : part(sold, factor / (1 + factor));
    if (policy.kind === "volume") {
      total += ofVolume(policy.volumeFactor!);
      continue;
    }
    const limit = policy.kind === "surplus"
      ? [BigInt(order.sellAmount), BigInt(order.buyAmount)]
      : quotedLimit(order);
    const factor = policy.surplusFactor ?? policy.priceImprovementFactor!;
    const better = surplus(order.kind, limit, [sold, bought]);
    const fee = part(better > 0n ? better : 0n, factor / (1 - factor));
    const cap = ofVolume(
      policy.surplusMaxVolumeFactor ?? policy.priceImprovementMaxVolumeFactor!,
    );
    total += fee < cap ? fee : cap;
  }
  return total;
}

/** A score in native atoms; a lower bound if not all policies are known. */
interface Score {
  readonly atoms: bigint;
  readonly isExact: boolean;
}

/** The score of one order of a solution: policies are stored for orders of winning solutions. */
function scoreOf(market: Market, { auctionId, auction }: Auction, bid: Bid): Score {
  const order = market.orders.get(bid.id)!;
  const { feePolicies } = market.reports.get(bid.id)!.find(({ id }) => id === auctionId)!;
  const limit = [BigInt(order.sellAmount), BigInt(order.buyAmount)];
  const atoms = surplus(order.kind, limit, [BigInt(bid.sellAmount), BigInt(bid.buyAmount)]) +
    feesOf(order, bid, feePolicies);
  const bought = order.kind === "sell" ? atoms : atoms * limit[1]! / limit[0]!;
  return {
    atoms: bought * BigInt(auction.prices[bid.buyToken]!) / E18,
    isExact: feePolicies.length > 0,
  };
}

function added(scores: readonly Score[]): Score {
  return {
    atoms: sum(scores.map(({ atoms }) => atoms)),
    isExact: scores.every(({ isExact }) => isExact),
  };
}

const pairOf = ({ sellToken, buyToken }: Bid) => `${sellToken} ${buyToken}`;

/** The best solution of each pair, among those of that pair alone. */
function baselinesOf({ solutions }: Auction): Map<string, Solution> {
  const best = new Map<string, Solution>();
  for (const solution of solutions) {
    const [pair, ...others] = new Set(solution.orders.map(pairOf));
    const score = best.get(pair!)?.score ?? "-1";
    if (others.length === 0 && BigInt(solution.score) > BigInt(score)) best.set(pair!, solution);
  }
  return best;
}

/** What is known of the filtered solutions. */
interface Filtered {
  /** Whose baselines they missed. */
  readonly answer: string;
  /** Pairs of which their scores do not tell whether they missed the baseline. */
  readonly undecided: number;
  /** How much their scores differ from those of all their orders, and whether these are exact. */
  readonly sums: readonly { rest: bigint; isExact: boolean }[];
}

/** Question 5: every pair on which a filtered solution scores less than its baseline. */
export function filtered(market: Market): Filtered {
  const sums: { rest: bigint; isExact: boolean }[] = [];
  let undecided = 0;
  const missed = market.auctions.flatMap((auction) => {
    const baselines = baselinesOf(auction);
    return auction.solutions.filter(({ filteredOut }) => filteredOut).flatMap((solution) => {
      const scores = grouped(solution.orders, (bid) => [pairOf(bid)]).map(({ key, all }) => ({
        baseline: baselines.get(`${key[0]}`),
        score: added(all.map((bid) => scoreOf(market, auction, bid))),
      }));
      const { atoms, isExact } = added(scores.map(({ score }) => score));
      sums.push({ rest: BigInt(solution.score) - atoms, isExact });
      return scores.flatMap(({ baseline, score }) => {
        const others = added(scores.filter((one) => one.score !== score).map((one) => one.score));
        // What the other pairs do not score is the score of this one.
        const exact = score.isExact || !others.isExact
          ? score
          : { atoms: BigInt(solution.score) - others.atoms, isExact: true };
        if (baseline === undefined || exact.atoms >= BigInt(baseline.score)) return [];
        if (!exact.isExact) undecided++;
        const names = [solution, baseline].map((one) => market.names.get(one.solverAddress)!);
        const by = fraction(BigInt(baseline.score) - exact.atoms, E18);
        return [{ names, by, auction: auction.auctionId }];
      });
    });
  });
  const rows = grouped(missed, ({ names }) => names).map(({ key, all }) => {
    const most = all.map(({ by }) => by).toSorted(compare).at(-1)!;
    const auctions = new Set(all.map(({ auction }) => auction)).size;
    return [...key, auctions, all.length, all.length, round(most, 6)];
  });
  const names = "solver_name,baseline_solver_name,auctions,pairs,certain,largest_miss_native";
  return { answer: lines(names, rows, 2), undecided, sums };
}

/** Question 6: by the caps of mainnet, 0.01 native tokens and half of the fees. */
export async function rewards({ auctions, names }: Market): Promise<string> {
  const raw = await readRawMarket("market_3");
  const ids = new Set(auctions.map(({ auctionId }) => auctionId));
  const earned = rawRewards(
    { ...raw, auctions: raw.auctions.filter(({ auctionId }) => ids.has(auctionId)) },
    { lowerCap: 10n ** 16n, share: [1n, 2n] },
  );
  const perQuote = 7n * 10n ** 14n;
  const rows = [...earned].map(([solver, one]) => {
    const { performance, consistency, quotesEarned, quotesPossible } = one;
    const quotes = BigInt(quotesEarned + quotesPossible);
    const gaps = [quotesPossible > 0 ? ["quote_rule"] : [], quotes > 0n ? ["cow_price"] : []]
      .flat().join(", ");
    return {
      solver: names.get(solver)!,
      performance,
      // Without a price of COW, a quote is worth anything from nothing to the cap.
      low: performance + consistency,
      high: performance + consistency + quotes * perQuote,
      gaps: gaps.includes(",") ? `"${gaps}"` : gaps,
    };
  }).sort((a, b) => a.performance > b.performance ? -1 : 1);
  const week = "2026-11-17T00:00:00Z";
  return [
    lines(
      "week_start,solver_name,performance_low_atoms,total_low_atoms,total_high_atoms,gaps",
      rows.map((row) => [week, row.solver, row.performance, row.low, row.high, row.gaps]),
      0,
    ),
    `${sum(rows.map(({ performance }) => performance))}n native atoms for performance`,
  ].join("\n");
}

/** Question 9: an attempt is in the report of every order of its auction. */
export function attempts(market: Market): string {
  const all = new Map(
    [...market.reports.values()].flat().flatMap(({ id, settlementAttempts }) =>
      settlementAttempts.map((one) => [`${id} ${one.solutionUid} ${one.startTimestamp}`, one])
    ),
  );
  const rows = grouped(
    all.values(),
    (one) => [one.startTimestamp.slice(0, 13), market.names.get(one.solver)!],
  ).map(({ key, all }) => [
    ...key,
    all.length,
    all.filter(({ outcome }) => outcome === "success").length,
  ]);
  return lines("hour,solver_name,attempts,successes", rows, 2);
}
