import { assert, assertEquals } from "@std/assert";
import { AuctionTimes } from "orderlens/metrics";
import * as tables from "orderlens/tables";
import { cells } from "./made_up.ts";
import * as market from "./market.ts";
import { AUDITS } from "./settlements/audits.ts";

const { competitions, debugReports, orders, records, times, trades } = market;
const { ALL, build, nothingOf, now, truth } = market;
/** The records as the public gets them. */
const bare = records.map(({ order, trades }) => ({ order, trades }));

/** What `gaps` says over all rows of a frame, each text once, in order. */
function gapsOf(frame: tables.Frame): (string | null)[] {
  return [...new Set<string | null>(cells(frame, "gaps").flat() as string[])].sort();
}

/** Rows in which a column is `null` and `gaps` says nothing. */
function unexplained(frame: tables.Frame, column: string): number {
  return cells(frame, column, "gaps").filter((row) => row.every((cell) => cell === null)).length;
}

Deno.test("MISSED_BASELINES names the inputs that would quantify a missed pair", () => {
  const build = (records: tables.Records) =>
    tables.buildTable(tables.MISSED_BASELINES, { competitions, ...records });
  assertEquals(gapsOf(build({})), ["orders, policies"]);
  assertEquals(gapsOf(build({ orders })), ["policies"]);
  assert(gapsOf(build({ debugReports })).includes("orders"));
  const all = build({ orders, debugReports });
  assert(gapsOf(all).includes(null));
  assertEquals(unexplained(all, "missed_by_native"), 0);
});

for (
  const [table, records, options, expected] of [
    [tables.FILLS, { records: bare }, {}, "auction, fill_time"],
    [tables.FILLS, { records: bare }, { competitions }, "fill_time"],
    [tables.FILLS, { records: bare }, { times }, "auction"],
    [tables.FILLS, { records: bare }, { competitions, times }, null],
    [tables.FEES, { records: bare }, {}, "auction, fill_time"],
    [tables.FEES, { records: bare }, { competitions, times }, null],
    [tables.FEE_STEPS, { records: bare }, {}, "auction, fill_time"],
    [tables.FEE_STEPS, { records: bare }, { competitions }, "fill_time"],
    [tables.FEE_STEPS, { records: bare }, { competitions, times }, null],
    [tables.BEST_OTHER_BIDS, { records: bare }, { competitions }, "fill_time"],
    [tables.TRADES, { trades }, {}, "solver, fill_time"],
    [tables.TRADES, { trades }, { times }, "solver"],
    [tables.TRADES, { trades }, { competitions }, "fill_time"],
    [tables.TRADES, { trades }, { competitions, times }, null],
    [tables.SOLUTIONS, { competitions }, {}, "auction_time"],
    [tables.SOLUTIONS, { competitions }, { times }, null],
    [tables.NATIVE_PRICES, { competitions }, {}, "auction_time"],
    [tables.NATIVE_PRICES, { competitions }, { times }, null],
  ] as const
) {
  Deno.test(`${table.name} of ${Object.keys(options).join(" and ") || "nothing else"} has the gaps ${expected}`, () => {
    assertEquals(gapsOf(build(table, { ...records, ...options })), [expected]);
  });
}

Deno.test("BIDS names missing orders, fills and times in its gaps", () => {
  const none = tables.buildTable(tables.BIDS, { competitions });
  assertEquals(gapsOf(none), ["order, auction_time", "order, fills, auction_time"]);
  const withOrders = tables.buildTable(tables.BIDS, { competitions, orders, times });
  assertEquals(gapsOf(withOrders), ["fills", null]);
  assertEquals(unexplained(withOrders, "is_executed"), 0);
});

/** Every table with a column `gaps`, and the least that it can be built from, besides parameters. */
const LEAST: Readonly<Record<string, tables.Records>> = {
  trades: { trades },
  solutions: { competitions },
  native_prices: { competitions },
  bids: { competitions },
  attempts: { competitions },
  fair_gain: { competitions },
  missed_baselines: { competitions },
  instance_orders: {
    competitions,
    instances: competitions.map(({ auctionId }) => ({ id: auctionId, orders: [] })),
  },
  rewards: { competitions },
  auction_rewards: { competitions, network: "mainnet" },
  fills: { records: bare },
  markout: { records: bare },
  protocol_fees: { records: bare },
  fees: { records: bare },
  fee_steps: { records: bare },
  best_other_bids: { records: bare, competitions },
  settlement_slippage: { audits: AUDITS },
  lifecycle: { evidence: orders.map((order) => ({ order })) },
};

for (const table of ALL) {
  const { name, columns } = table;
  if (!columns.some((column) => column.name === "gaps")) continue;
  Deno.test(`${name} explains columns that are null because of a missing input`, () => {
    const least = LEAST[name];
    assert(
      least !== undefined,
      `${name} has gaps: add what it is built from at least to LEAST in ` +
        "tests/tables/missing_inputs_test.ts, and test what its gaps say",
    );
    const frame = build(table, { ...nothingOf(table), ...least });
    assert(frame.height > 0);
    // Reasons are null where there is nothing to explain; names are labels, and of invented solvers.
    const silent = frame.getColumns().filter((column) =>
      column.nullCount() === frame.height && !/reason$|_name$|^gaps$/.test(column.name)
    );
    if (silent.length === 0) return;
    assert(!gapsOf(frame).includes(null), `${name}: ${silent.map((column) => column.name)}`);
  });
}

interface Row {
  readonly [column: string]: string | number | null;
  readonly order_uid: string;
}

/** When the service indexed the fill of each order that has a single one, in unix milliseconds. */
const indexedAt = new Map(
  records.filter(({ trades }) => [...trades].length === 1).map(({ order }) => {
    const traded = truth.order_events!.find(({ order_uid, label }) =>
      order_uid === order.uid && label === "traded"
    );
    return [order.uid, Date.parse(String(traded?.timestamp))];
  }),
);

Deno.test("FILLS and LIFECYCLE estimate times and ages from public responses alone", () => {
  const ages = new Map(
    tables.buildTable(tables.FILLS, { records, competitions }).toRecords<Row>()
      .map((row) => [`${row.order_uid} ${row.block_number}`, Number(row.quote_age_seconds)]),
  );
  const errors: number[] = [];
  for (
    const row of tables.buildTable(tables.FILLS, { records: bare, competitions, times }).toRecords<
      Row
    >()
  ) {
    assertEquals([row.time_basis, row.filled_at], ["bracketed", row.fill_time_min]);
    assertEquals(row.filled_at_ms, row.fill_time_min_ms);
    const indexed = indexedAt.get(row.order_uid);
    if (indexed === undefined) continue;
    const [min, max] = [Number(row.fill_time_min_ms), Number(row.fill_time_max_ms)];
    assert(min <= indexed && indexed <= max, row.order_uid);
    const age = Number(row.quote_age_seconds);
    errors.push(ages.get(`${row.order_uid} ${row.block_number}`)! - age);
    assert(age >= 0);
  }
  errors.sort((a, b) => a - b);
  // The age is at its least: closer than ten seconds to that of the event for most fills.
  assert(errors.length > 500 && errors[0]! >= 0 && errors[Math.floor(errors.length / 2)]! < 10);

  const rows = tables.buildTable(tables.LIFECYCLE, { evidence: bare, now, times }).toRecords<Row>()
    .filter(({ order_uid }) => indexedAt.has(order_uid));
  for (const row of rows) {
    assertEquals([row.time_basis, row.first_fill_at_ms], ["bracketed", row.first_fill_time_min_ms]);
    assert(Number(row.time_to_first_fill_seconds) >= 0);
    assert(row.first_fill_time_max_ms! >= row.first_fill_at_ms!);
    assert(row.status !== "fulfilled" || row.observed_seconds !== null);
  }
  assertEquals(rows.length, indexedAt.size);
});

Deno.test("buildTable() prefers the timestamps of blocks to all other times", () => {
  const instantOf = (block: number) =>
    Temporal.Instant.fromEpochMilliseconds(1_000 * (1_800_000_000 + block));
  const blocks = [
    ...trades.map(({ blockNumber }) => blockNumber),
    ...competitions.map(({ auctionStartBlock }) => auctionStartBlock),
  ];
  const blockTimes = new Map(blocks.map((block) => [block, instantOf(block)]));
  const options = { times: new AuctionTimes(competitions, { orders, debugReports, blockTimes }) };
  // A time outside an order's life would not be taken.
  const life = { creationDate: instantOf(0), validTo: 2 ** 32 - 1 };
  const endless = records.map((each) => ({ ...each, order: { ...each.order, ...life } }));
  for (
    const [block, at, min, ...frames] of [
      [
        "block_number",
        "filled_at",
        "fill_time_min",
        tables.buildTable(tables.TRADES, { trades, ...options }),
        tables.buildTable(tables.FILLS, { records: endless, ...options }),
        tables.buildTable(tables.FEES, { records: endless, ...options }),
        tables.buildTable(tables.FEE_STEPS, { records: endless, ...options }),
        tables.buildTable(tables.BEST_OTHER_BIDS, { records: endless, competitions, ...options }),
      ],
      [
        "auction_start_block",
        "auction_at",
        "auction_time_min",
        tables.buildTable(tables.SOLUTIONS, { competitions, ...options }),
        tables.buildTable(tables.NATIVE_PRICES, { competitions, ...options }),
      ],
    ] as const
  ) {
    assert(frames.every(({ height }) => height > 0));
    for (const row of frames.flatMap((frame) => frame.toRecords<Row>())) {
      const time = instantOf(Number(row[block]));
      assertEquals([row.time_basis, row[at], row[min]], ["block", `${time}`, null]);
      assertEquals(row[`${at}_ms`], time.epochMilliseconds);
    }
  }
});

Deno.test("TRADES takes times from the events of debug reports", () => {
  const known = new AuctionTimes(competitions, { debugReports });
  const rows = tables.buildTable(tables.TRADES, { trades, times: known }).toRecords<Row>();
  const events = rows.filter(({ time_basis }) => time_basis === "event");
  assert(events.length > rows.length * 0.9);
  for (const row of events) {
    const indexed = indexedAt.get(row.order_uid);
    // Several fills of a block are indexed together, within moments.
    if (indexed !== undefined) assert(Math.abs(Number(row.filled_at_ms) - indexed) < 2_000);
  }
});
