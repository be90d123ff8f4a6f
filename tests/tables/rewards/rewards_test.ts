import { assert, assertEquals } from "@std/assert";
import { network } from "orderlens";
import {
  ATTEMPTS,
  AUCTION_REWARDS,
  buildTable,
  type Records,
  records,
  REWARDS,
} from "orderlens/tables";
import type { Order } from "orderlens/schemas";
import { competitions, debugReports, orders, trades } from "../market.ts";
import { rawRewards, readRawMarket } from "./raw_rewards.ts";
import { auctionOf, type Bid } from "../../metrics/auctions.ts";
import { cells, tradeOf } from "../made_up.ts";

type Row = Record<string, string | number | null>;

const raw = await readRawMarket();
const MIDNIGHT = Date.parse("2026-11-24T00:00:00Z");
const WEEKS = ["2026-11-17T00:00:00Z", "2026-11-24T00:00:00Z"];
/** The market as if a new week had begun in the middle of it, two seconds an auction. */
const times = new Map(
  competitions.map(({ auctionId }) => [auctionId, MIDNIGHT + (auctionId - 2_100) * 2_000]),
);
const AROUND_MIDNIGHT = competitions.filter(({ auctionId }) =>
  auctionId >= 2_000 && auctionId < 2_200
);
const evidence = { trades, debugReports, orders, rewardTimes: times };
const PARTS = [
  ...["uncapped", "protocol_fee", "upper_cap_cut", "lower_cap_relief", "performance"],
  ...["consistency", "quote_reward", "total"],
];
const MAINNET = { ...evidence, network: "mainnet" };
const PRICED = { ...MAINNET, cowPrice: 10n ** 14n };

function rewards(options: Records, auctions = competitions): Row[] {
  return records<Row>(buildTable(REWARDS, { competitions: auctions, ...options }));
}

function rewardsByAuction(options: Records): Row[] {
  return records<Row>(buildTable(AUCTION_REWARDS, { competitions, ...options }));
}
const COW = 6n * 10n ** 18n;

for (const name of ["mainnet", "xdai"] as const) {
  const rules = network(name).rewards.at(-1);
  // 6 COW are worth 0.0006 native tokens at this price, less than the cap of either network.
  const options = { ...evidence, network: name, cowPrice: 10n ** 14n };

  Deno.test(`REWARDS matches the recorded bodies by the formulas of ${name}`, () => {
    const rows = rewards(options);
    const seen: string[] = [];
    for (const [index, start] of WEEKS.entries()) {
      const auctions = raw.auctions.filter(({ auctionId }) =>
        index === 0 ? auctionId < 2_100 : auctionId >= 2_100
      );
      const expected = rawRewards({ ...raw, auctions }, {
        lowerCap: rules!.lowerCapAtoms,
        share: [rules!.feeShare!.numerator, rules!.feeShare!.denominator],
      });
      for (const row of rows.filter(({ week_start }) => week_start === start)) {
        const own = expected.get(String(row.solver))!;
        seen.push(`${start} ${row.solver}`);
        assertEquals(
          [row.auctions_bid, row.winning_count, row.unsettled_count],
          [own.auctionsBid, own.wins, own.unsettled],
        );
        for (const end of ["low", "high"] as const) {
          assertEquals(row[`uncapped_${end}_atoms`], `${own.uncapped}`);
          assertEquals(row[`protocol_fee_${end}_atoms`], `${own.protocolFee}`);
          assertEquals(row[`performance_${end}_atoms`], `${own.performance}`);
          assertEquals(row[`consistency_${end}_atoms`], `${own.consistency}`);
        }
        assertEquals(row.upper_capped_count, own.upperCapped);
        assertEquals(row.lower_capped_count, own.lowerCapped);
        const each = COW * 10n ** 14n / 10n ** 18n;
        assertEquals(row.quote_reward_low_atoms, `${BigInt(own.quotesEarned) * each}`);
        assertEquals(
          row.quote_reward_high_atoms,
          `${BigInt(own.quotesEarned + own.quotesPossible) * each}`,
        );
      }
      assertEquals(seen.length, rows.filter(({ week_start }) => week_start! <= start).length);
    }
    assertEquals(new Set(seen).size, 8);
  });
}

Deno.test("REWARDS and AUCTION_REWARDS add up to the atom, and name the cap that decided", () => {
  const perAuction = rewardsByAuction(PRICED);
  assertEquals(perAuction.length, 646);
  for (const row of perAuction) {
    const [uncapped, cap] = [row.uncapped_low_atoms!, row.upper_cap_low_atoms!].map(BigInt);
    const decided = uncapped! > cap! ? "upper" : uncapped! < -(10n ** 16n) ? "lower" : "none";
    assertEquals(row.cap, decided);
  }
  for (const row of rewards(PRICED)) {
    const atoms = (column: string) => BigInt(row[column]!);
    for (const end of ["low", "high"]) {
      assertEquals(
        atoms(`performance_${end}_atoms`),
        atoms(`uncapped_${end}_atoms`) - atoms(`upper_cap_cut_${end}_atoms`) +
          atoms(`lower_cap_relief_${end}_atoms`),
      );
      assertEquals(
        atoms(`total_${end}_atoms`),
        atoms(`performance_${end}_atoms`) + atoms(`consistency_${end}_atoms`) +
          atoms(`quote_reward_${end}_atoms`),
      );
      for (const column of ["uncapped", "upper_cap_cut", "lower_cap_relief", "performance"]) {
        const own = perAuction.filter(({ solver, week_start }) =>
          solver === row.solver && week_start === row.week_start
        );
        const sum = own.reduce((all, each) => all + BigInt(each[`${column}_${end}_atoms`]!), 0n);
        assertEquals(sum, atoms(`${column}_${end}_atoms`));
      }
    }
  }
});

Deno.test("AUCTION_REWARDS has the gap week where the week of an auction is uncertain", () => {
  const gapsOf = (options: object) =>
    rewardsByAuction({ ...MAINNET, ...options }).filter(({ gaps }) => gaps === "week")
      .map(({ auction_id }) => Number(auction_id));
  // One auction each two seconds: the last 30 before midnight have a deadline of a minute after it.
  const open = gapsOf({});
  assert(open.every((id) => id >= 2_070 && id < 2_100));
  assertEquals(
    new Set(open).size,
    raw.auctions.filter(({ auctionId, referenceScores }) =>
      auctionId >= 2_070 && auctionId < 2_100 && Object.keys(referenceScores).length > 0
    ).length,
  );
  assertEquals(gapsOf({ deadlineMs: 0 }), []);
});

Deno.test("REWARDS has bounds that contain the values that all inputs give", () => {
  const known = rewards(PRICED, AROUND_MIDNIGHT);
  const publicOnly = { network: "mainnet", rewardTimes: times };
  for (
    const less of [
      publicOnly,
      { ...publicOnly, trades },
      { ...publicOnly, trades, orders },
      { ...publicOnly, trades, orders, latestBlock: 4_000 },
    ]
  ) {
    const rows = rewards(less, AROUND_MIDNIGHT);
    assert(rows.length > 0);
    for (const row of rows) {
      const exact = known.find(({ solver, week_start }) =>
        solver === row.solver && week_start === row.week_start
      )!;
      for (const column of PARTS) {
        const [low, high] = [row[`${column}_low_atoms`], row[`${column}_high_atoms`]];
        assert(BigInt(low!) <= BigInt(exact[`${column}_low_atoms`]!), `${column} low`);
        assert(
          high === null || BigInt(high!) >= BigInt(exact[`${column}_high_atoms`]!),
          `${column} high`,
        );
      }
    }
  }
});

Deno.test("REWARDS names in its gaps what each missing input leaves open", () => {
  const gaps = (options: object) =>
    new Set(rewards(options, AROUND_MIDNIGHT).map(({ gaps = null }) => gaps));
  const all = { ...PRICED, deadlineMs: 0 };
  const complete = gaps(all);
  assertEquals(complete, new Set<string | number | null>([null, "quote_rule"]));
  assertEquals(
    gaps({ ...all, cowPrice: WEEKS.map((week) => ({ week: week.slice(0, 10), nativeAtoms: 1n })) }),
    complete,
  );
  for (
    const [name, said] of [
      ["rewardTimes", ["times", "rules", "quote_rule", "consistency_metric"]],
      ["network", ["rules", "quote_reward", "quote_rule"]],
      ["orders", ["orders", "partner_fees"]],
      ["trades", ["trades"]],
      ["cowPrice", ["cow_price"]],
    ] as const
  ) {
    const own = [...gaps({ ...all, [name]: undefined })]
      .flatMap((one) => one === null ? [] : String(one).split(", "));
    if (name === "rewardTimes" || name === "network") assertEquals(new Set(own), new Set(said));
    for (const one of said) assert(own.includes(one), `${one} without ${name}: ${own}`);
  }
});

Deno.test("REWARDS pays the smaller of both amounts for a quote", () => {
  const { nativeAtoms, cowAtoms } = network("mainnet").quoteReward!;
  const paidAt = (cowPrice: Records["cowPrice"]) =>
    rewards({ ...MAINNET, ...cowPrice !== undefined && { cowPrice } }, AROUND_MIDNIGHT)
      .map((row) => [BigInt(row.quote_reward_low_atoms!), BigInt(row.quotes_earned!)]);
  for (const [paid, earned] of paidAt(10n ** 18n)) assertEquals(paid, nativeAtoms * earned!);
  // At one atom for a whole COW, 6 COW are 6 atoms.
  for (const [paid, earned] of paidAt(1n)) assertEquals(paid, 6n * earned!);
  assertEquals(cowAtoms, COW);
  const byWeek = paidAt([{ week: "2026-11-17", nativeAtoms: "2", source: "a test" }]);
  assert(byWeek.some(([paid, earned]) => earned! > 0n && paid === 12n * earned!));
  // A week without a price pays between nothing and the native amount.
  assert(byWeek.some(([paid, earned]) => earned! > 0n && paid === 0n));
  for (const [paid] of paidAt(undefined)) assertEquals(paid, 0n);
});

Deno.test("REWARDS names the price of COW of each week and its source, and null without one", () => {
  const nativeAtoms = 63_100_000_000_000n;
  const cowPrice = [{ week: "2026-11-17", nativeAtoms, source: "mean of the last 24 hours" }];
  const columns = ["week_start", "cow_price_atoms", "cow_price_native", "cow_price_source"];
  const read = (options: Records) => {
    const rows = rewards({ ...MAINNET, ...options }, AROUND_MIDNIGHT);
    return new Set(rows.map((row) => columns.map((column) => String(row[column])).join(" ")));
  };
  assertEquals(
    read({ cowPrice }),
    new Set([
      "2026-11-17T00:00:00Z 63100000000000 0.0000631 mean of the last 24 hours",
      "2026-11-24T00:00:00Z null null null",
    ]),
  );
  const source = "https://me:hunter2@prices.example/cow?api_key=s3cret";
  const [sourced] = read({ cowPrice: [{ nativeAtoms, source }] });
  assertEquals(sourced?.split(" ")[3], "https://[hidden]@prices.example/cow?api_key=[hidden]");
  // A number alone is of every week, and no source was stated.
  assertEquals(
    read({ cowPrice: nativeAtoms }),
    new Set(WEEKS.map((week) => `${week} 63100000000000 0.0000631 null`)),
  );
});

const { rewards: rules } = network("mainnet");
const CAP = 10n ** 16n;
const bid: Bid = { solver: "0xa0", score: 3n * CAP, pairs: [["0x01", "0x02"]], isWinner: true };
/** 0xa0 wins twice, once a batch; without it, others would have scored 4.5 caps of its 5. */
const auction = auctionOf([
  { ...bid, pairs: [["0x01", "0x02"], ["0x03", "0x04"]], txHash: "0xaa" },
  { ...bid, score: 2n * CAP, txHash: "0xbb" },
  { ...bid, solver: "0xc0", score: CAP, isWinner: false },
], { referenceScores: { "0xa0": 9n * CAP / 2n } });

Deno.test("ATTEMPTS has a row per order of a winning solution, each penalty once, and the cap that limits it", () => {
  const given = { trades: [tradeOf(), tradeOf({ txHash: "0xbb", blockNumber: 105 })], rules };
  const columns = [
    "ranking position order_uid order_count outcome blocks_late",
    "penalty_if_absent_low_atoms is_capped penalty_low_atoms cap_atoms",
  ];
  // Both failed: 4.5 + 5 − 5 caps. The second alone: 4.5 + 2 − 5, which is 1.5 caps.
  assertEquals(cells(buildTable(ATTEMPTS, { competitions: [auction], ...given }), ...columns), [
    [1, 1, "0x01>0x02", 2, "in_time", 0, `${CAP}`, true, "0", `${CAP}`],
    [1, 2, "0x03>0x04", 2, "in_time", 0, null, null, null, `${CAP}`],
    [2, 1, "0x01>0x02", 1, "late", 2, `${CAP}`, true, `${CAP}`, `${CAP}`],
  ]);
  const small = auctionOf([{ ...bid, score: CAP }], { referenceScores: { "0xa0": CAP / 4n } });
  // Before CIP-87 could be in force.
  const week = { auction: () => ({ at: Temporal.Instant.from("2026-08-19T00:00:00Z") }) };
  const times = { ...week, block: () => null } as never;
  const late = { latestBlock: 104, rules, times };
  assertEquals(
    cells(
      buildTable(ATTEMPTS, { competitions: [small], ...late }),
      "outcome",
      "is_capped",
      "penalty_high_native",
    ),
    [
      ["absent", false, 0.0025],
    ],
  );
});

Deno.test("ATTEMPTS takes the caps of orders from the trades that name them", () => {
  const of = (orderUid: string, penaltyCapNative: bigint) =>
    tradeOf({ orderUid, penaltyCapNative, txHash: "0xbb", blockNumber: 105 });
  const [first] = [...auction.solutions].filter(({ ranking }) => ranking === 2);
  const trades = [
    tradeOf({ orderUid: "0x01>0x02", penaltyCapNative: 5n }),
    tradeOf({ orderUid: "0x03>0x04", penaltyCapNative: 6n }),
    of(first!.orders[0]!.id, 7n),
  ];
  const columns = ["outcome", "cap_atoms", "is_capped", "penalty_if_absent_high_atoms"];
  const owed = ["penalty_low_atoms", "penalty_high_atoms", "gaps"];
  const rows = cells(
    buildTable(ATTEMPTS, { competitions: [auction], trades, rules }),
    ...columns,
    ...owed,
  );
  // If the first failed too: 5 + 6 + 7. The late one owes its 7, or the cap of all that was won.
  assertEquals(rows, [
    ["in_time", null, true, "18", "0", "0", "auction_time"],
    ["in_time", null, null, null, null, null, "auction_time"],
    ["late", null, true, "18", "7", "18", "rules, auction_time"],
  ]);
});

Deno.test("ATTEMPTS bounds the caps of orders that were not settled as AUCTION_REWARDS does", () => {
  const small = auctionOf([{ ...bid, score: CAP }], { referenceScores: { "0xa0": CAP / 4n } });
  const priced = { ...small, auction: { ...small.auction, prices: { "0x02": 10n ** 18n } } };
  // At most 10 bps of its limit of 4,000 native atoms.
  const uid = small.solutions[0]!.orders[0]!.id;
  const order: Order = {
    ...orders[0]!,
    ...{ uid, kind: "sell", sellToken: "0x01", buyToken: "0x02", buyAmount: 4_000n },
  };
  const own = { rules: [{ ...rules.at(-1)!, hasOrderCaps: true }], latestBlock: 104 };
  const options = { ...own, orders: [order] };
  const columns = ["penalty_if_absent_high_atoms", "penalty_low_atoms", "penalty_high_atoms"];
  assertEquals(cells(buildTable(ATTEMPTS, { competitions: [priced], ...options }), ...columns), [[
    "4",
    "0",
    "4",
  ]]);
  assertEquals(
    cells(
      buildTable(AUCTION_REWARDS, { competitions: [priced], ...options }),
      "performance_low_atoms",
      "performance_high_atoms",
    ),
    [["-4", "0"]],
  );
  const unbounded = String(CAP / 4n);
  assertEquals(cells(buildTable(ATTEMPTS, { competitions: [priced], ...own }), ...columns), [[
    unbounded,
    "0",
    unbounded,
  ]]);
});

Deno.test("ATTEMPTS names missing settlements, rules and reference scores in its gaps", () => {
  const [row] = buildTable(ATTEMPTS, { competitions: [auctionOf([bid])] }).toRecords();
  assertEquals(row?.gaps, "settlement, rules, reference_score, auction_time");
  assertEquals([row?.penalty_low_atoms, row?.cap_atoms, row?.is_capped], [null, null, null]);
});

Deno.test("ATTEMPTS adds up to the negative rewards of the recorded market", () => {
  const known = { trades, debugReports, rules };
  const rows = buildTable(ATTEMPTS, { competitions: [...competitions, ...competitions], ...known })
    .toRecords();
  const owed = rows.reduce((sum, row) => sum + BigInt(row.penalty_low_atoms ?? 0), 0n);
  const paid = buildTable(AUCTION_REWARDS, { competitions, ...known }).toRecords()
    .map((row) => BigInt(row.performance_high_atoms ?? 0))
    .reduce((sum, each) => each < 0n ? sum - each : sum, 0n);
  assertEquals(owed, paid);
  const count = (word: string) => rows.filter(({ outcome }) => outcome === word).length;
  // As counted from the recorded bodies in Python.
  assertEquals([rows.length, count("in_time"), count("late"), count("absent")], [673, 662, 2, 9]);
  assertEquals(owed, 59_901_588_041_926_491n);
});
