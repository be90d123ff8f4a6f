import {
  compare,
  decimal,
  type Fraction,
  fraction,
  grouped,
  lines,
  median,
  minus,
  over,
  round,
  sum,
  times,
} from "./lines.ts";
import {
  type Fee,
  type Market,
  type Order,
  type Quote,
  solverOf,
  toldOf,
  type Trade,
} from "./raw_market.ts";

const E18 = 10n ** 18n;
const BPS = fraction(10_000n);
const ONE = fraction(1n);

const nameOf = (market: Market, address: string | null) =>
  address === null ? null : market.names.get(address)!;

/** Question 1: WETH to T2, in windows of five minutes. */
export function shares(market: Market): string {
  const fills = market.trades.filter(({ sellToken, buyToken }) =>
    market.names.get(sellToken) === "WETH" && market.names.get(buyToken) === "T2"
  ).map((trade) => {
    const seconds = market.blocks[trade.blockNumber]!;
    const from = new Date((seconds - seconds % 300) * 1_000).toISOString().slice(11, 16);
    return { from, solver: nameOf(market, solverOf(market, trade)), amount: trade.sellAmount };
  });
  const rows = grouped(fills, ({ from, solver }) => [from, solver]).map(({ key, all }) => {
    const sold = sum(all.map(({ amount }) => amount));
    const of = sum(fills.filter(({ from }) => from === key[0]).map(({ amount }) => amount));
    return [...key, all.length, sold, of, round(fraction(sold, of), 4)];
  });
  return lines("from,solver_name,row_count,sell_amount_atoms,of,share", rows, 2);
}

type Amounts = ReturnType<typeof amountsOf>;

function amountsOf({ sellAmount, buyAmount }: { sellAmount: string; buyAmount: string }) {
  return { sold: BigInt(sellAmount), bought: BigInt(buyAmount) };
}

const ceil = (a: bigint, b: bigint) => (a + b - 1n) / b;

/** Surplus over the limit, in basis points of the limit. */
function overLimit(order: Order, { sold, bought }: Amounts): Fraction {
  const { sold: sell, bought: buy } = amountsOf(order);
  const limit = order.kind === "sell" ? ceil(sold * buy, sell) : sell * bought / buy;
  const surplus = order.kind === "sell" ? bought - limit : limit - sold;
  return fraction(10_000n * surplus, limit);
}

/** Question 2: the executed bid against the best other one. */
export function leads(market: Market): string {
  const beaten = market.trades.flatMap((trade) => {
    const order = market.orders.get(trade.orderUid)!;
    const fill = amountsOf(trade);
    const [best] = toldOf(market, trade).proposedSolutions.filter(({ isWinner }) => !isWinner)
      .map(({ executedSell, executedBuy, filteredOut }) => ({
        ...amountsOf({ sellAmount: executedSell, buyAmount: executedBuy }),
        filteredOut,
      })).sort((a, b) => compare(fraction(b.bought, b.sold), fraction(a.bought, a.sold)));
    if (best === undefined || best.filteredOut) return [];
    const left = order.kind === "sell"
      ? fill.sold * best.bought / best.sold - fill.bought
      : fill.sold - ceil(fill.bought * best.sold, best.bought);
    const token = order.kind === "sell" ? trade.buyToken : trade.sellToken;
    const lead = minus(overLimit(order, fill), overLimit(order, best));
    return [{ left, lead, token: market.names.get(token)! }];
  });
  const rows = grouped(beaten, ({ token }) => [token])
    .map(({ key, all }) => [...key, all.length, sum(all.map(({ left }) => left))]);
  const lead = round(median(beaten.map((one) => one.lead)), 2);
  return [
    lines("fills,median_lead_bps", [[beaten.length, lead]], 0),
    lines("surplus_symbol,row_count,left_atoms", rows, 1),
  ].join("\n");
}

/** The network fee of a stored quote. */
function quoteFee({ gasAmount, gasPrice, sellTokenPrice }: Quote): bigint {
  const fee = over(times(decimal(gasAmount), decimal(gasPrice)), decimal(sellTokenPrice));
  return fee.over / fee.under;
}

/** Slippage against the quote less its network fee, in basis points of it. */
function netSlippage({ kind, quote }: Order, { sold, bought }: Amounts): Fraction {
  const { sold: sell, bought: buy } = amountsOf(quote!);
  const fee = quoteFee(quote!);
  const [part, baseline] = kind === "sell"
    ? [fraction(bought), fraction((buy - fee * buy / sell) * sold, sell)]
    : [fraction((sell + fee) * bought, buy), fraction(sold)];
  const better = minus(part, baseline);
  return times(BPS, over(better, kind === "sell" ? baseline : part));
}

/** Question 3: five groups of equal count. */
export function quintiles(market: Market): string {
  const fills = market.trades.map((trade) => {
    const price = decimal(toldOf(market, trade).nativePrices[trade.sellToken]!);
    const order = market.orders.get(trade.orderUid)!;
    return {
      value: times(fraction(BigInt(trade.sellAmount), E18 * E18), price),
      slippage: netSlippage(order, amountsOf(trade)),
    };
  }).sort((a, b) => compare(a.value, b.value));
  const ranked = fills.map((fill, rank) => ({ ...fill, rank }));
  const rows = grouped(ranked, ({ rank }) => [Math.floor(rank * 5 / fills.length) + 1])
    .map(({ key, all }) => [
      ...key,
      all.length,
      round(all.at(-1)!.value, 4),
      round(median(all.map(({ slippage }) => slippage)), 2),
    ]);
  return lines("quintile,fills,up_to_native,median_net_bps", rows, 1);
}

/** The last price of a token in an auction that had begun by a time, as the double that tables have. */
function priceAt({ auctions, blocks }: Market, token: string, seconds: number): Fraction {
  const found = auctions.filter(({ auctionStartBlock, auction }) =>
    blocks[auctionStartBlock]! <= seconds && token in auction.prices
  ).at(-1)!;
  const atoms = BigInt(found.auction.prices[token]!).toString().padStart(19, "0");
  return decimal(`${Number(`${atoms.slice(0, -18)}.${atoms.slice(-18)}`)}`);
}

/** Question 7: the markouts of solver_b. */
export function markouts(market: Market): string {
  const fills = market.trades
    .filter((trade) => market.names.get(settledBy(market, trade)) === "solver_b")
    .map((trade) => {
      const seconds = market.blocks[trade.blockNumber]!;
      const { sold, bought } = amountsOf(trade);
      const feesIn = (token: string) =>
        sum(
          trade.executedProtocolFees!.filter((fee) => fee.token === token)
            .map(({ amount }) => amount),
        );
      const market_ = over(
        priceAt(market, trade.sellToken, seconds),
        priceAt(market, trade.buyToken, seconds),
      );
      const bps = (got: bigint, gave: bigint) =>
        times(BPS, minus(over(fraction(got, gave), market_), ONE));
      return {
        markout: bps(bought, sold),
        efficiency: bps(bought + feesIn(trade.buyToken), sold - feesIn(trade.sellToken)),
      };
    });
  const row = [
    fills.length,
    round(median(fills.map(({ markout }) => markout)), 2),
    round(median(fills.map(({ efficiency }) => efficiency)), 2),
  ];
  return lines("fills,median_markout_bps,median_efficiency_bps", [row], 0);
}

function settledBy(market: Market, trade: Trade): string {
  return toldOf(market, trade).proposedSolutions.find(({ isWinner }) => isWinner)!.solver;
}

/** Question 8: from creation to fill. */
export function waits(market: Market): string {
  const fills = market.trades.map((trade) => {
    const created = market.orders.get(trade.orderUid)!.creationDate;
    const [, whole, micros = ""] = /^(.*?)(?:\.(\d+))?Z$/.exec(created)!;
    const at = decimal(`${Date.parse(`${whole}Z`) / 1_000}.${micros}`);
    return {
      solver: nameOf(market, settledBy(market, trade)),
      wait: minus(fraction(BigInt(market.blocks[trade.blockNumber]!)), at),
    };
  });
  const rows = grouped(fills, ({ solver }) => [solver]).map(({ key, all }) => {
    const sorted = all.map(({ wait }) => wait).sort(compare);
    return [...key, all.length, round(median(sorted), 3), round(sorted.at(-1)!, 3)];
  });
  return lines("solver_name,fills,median_seconds,longest_seconds", rows, 1);
}

/** Question 10: who quoted, and who settled. */
export function quotedAndSettled(market: Market): string {
  const rows = grouped(
    market.trades,
    (trade) => [
      nameOf(market, market.orders.get(trade.orderUid)!.quote!.solver),
      nameOf(market, solverOf(market, trade)),
    ],
  ).map(({ key, all }) => [...key, all.length]);
  return lines("quote_solver_name,solver_name,fills", rows, 2);
}

function kindOf({ policy }: Fee): string {
  const [kind] = Object.keys(policy!);
  return kind!;
}

/** Question 4: partner fees are the last ones, one for each of the app data. */
export function fees(market: Market): string {
  const charged = market.trades.flatMap((trade) => {
    const document = JSON.parse(market.orders.get(trade.orderUid)!.fullAppData ?? "{}");
    const asked = [document.metadata?.partnerFee ?? []].flat();
    const day = new Date(market.blocks[trade.blockNumber]! * 1_000).toISOString().slice(0, 10);
    const first = trade.executedProtocolFees!.length - asked.length;
    return trade.executedProtocolFees!.map((fee, index) => ({
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
