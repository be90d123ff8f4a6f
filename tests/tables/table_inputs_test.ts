import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { InputError, NETWORKS } from "orderlens";
import * as tables from "orderlens/tables";
import { ALL, build, competitions, debugReports, nothingOf, orders, trades } from "./market.ts";

/** Parameters in which `null` means unknown. */
const MAY_BE_NULL = ["quoteReward", "surplusCapturingJitOrderOwners"];

/** Parameters that take an object of any names, also one of none. */
const MAY_BE_EMPTY = ["solvers", "around"];

function messageOf(run: () => unknown): string {
  return assertThrows(run, InputError).message;
}

Deno.test("lib/tables/mod.ts exports each table under its name", () => {
  const exported = new Map(Object.entries(tables));
  for (const table of ALL) assertEquals(exported.get(table.name.toUpperCase()), table, table.name);
});

Deno.test("buildTable() rejects unknown names and invalid values", () => {
  const nothing = nothingOf(tables.SOLUTIONS);
  const unknown = messageOf(() => build(tables.SOLUTIONS, { ...nothing, noSuchName: 1 }));
  const action = "Cannot build solutions";
  assertStringIncludes(unknown, `${action} with "noSuchName": unknown option`);
  for (const records of [null, []]) {
    assertStringIncludes(messageOf(() => build(tables.SOLUTIONS, records)), `${action} with `);
  }
  assertStringIncludes(
    messageOf(() => build(tables.SOLUTIONS, { competitons: [] })),
    'with "competitons": unknown option\nFix: Pass competitions; other options are',
  );
  const names = unknown.split("Fix: Pass ")[1]!.split(", ");
  assert(names.length > 40 && ALL.every(({ of }) => of.every((name) => names.includes(name))));
  for (const name of names) {
    for (const value of ["no such word", {}, Symbol("x"), null, NaN, [1], Promise.resolve()]) {
      if (value === null && MAY_BE_NULL.includes(name)) continue;
      const isPlain = Object.getPrototypeOf(Object(value)) === Object.prototype;
      if (isPlain && MAY_BE_EMPTY.includes(name)) continue;
      const text = messageOf(() => build(tables.SOLUTIONS, { ...nothing, [name]: value }));
      assert(text.startsWith(`${action} with ${name}`), text);
      assertStringIncludes(text, "\nFix: Pass ");
    }
    if (name !== "competitions") build(tables.SOLUTIONS, { ...nothing, [name]: undefined });
  }
});

for (const table of ALL) {
  const { name, of } = table;
  const [list] = of;
  const action = `Cannot build ${name}`;

  Deno.test(`${name} names its required records where they are missing`, () => {
    for (const needed of of) {
      const { [needed]: _, ...rest } = nothingOf(table);
      const text = messageOf(() => build(table, rest));
      assertStringIncludes(text, `${action} without ${needed}\nFix: Pass `);
      assertStringIncludes(text, ` as ${needed}`);
    }
    assertEquals(build(table, { ...nothingOf(table), [list!]: new Set() }).height, 0);
  });

  Deno.test(`${name} rejects records of another kind`, () => {
    const messageFor = (records: unknown) =>
      messageOf(() => build(table, { ...nothingOf(table), [list!]: records }));
    for (
      const [wrong, words] of [
        [Promise.resolve([]), "from a promise\nFix: Pass an array of"],
        [{ async *[Symbol.asyncIterator]() {} }, "`await Array.fromAsync(…)`"],
        [new Map([[1, {}]]), "from a Map"],
        [tables.buildTable(tables.ORDERS, { orders: [] }), "from a frame"],
        ["records", 'from "records"'],
        [{}, "from an object"],
        [[null], "record 0 is null"],
        [[{}], "record 0 has no "],
      ] as const
    ) {
      const text = messageFor(wrong);
      assert(text.startsWith(`${action} with ${list}`), text);
      assertStringIncludes(text, words);
    }
    assertStringIncludes(messageFor(Promise.resolve([])), "`await` it first");
    const odd = list === "orders" ? trades : orders;
    assertStringIncludes(messageFor(odd), `${action} with ${list}: record 0 has no `);
  });
}

Deno.test("buildTable() checks records that it only looks up, also those of `around`", () => {
  const action = "Cannot build bids with";
  const given = { competitions, orders: trades };
  assertStringIncludes(
    messageOf(() => build(tables.BIDS, given)),
    `${action} orders: record 0 has`,
  );
  const around = { competitions, around: { orders: trades } };
  assertStringIncludes(messageOf(() => build(tables.BIDS, around)), `${action} orders: record 0`);
});

Deno.test("buildTable() reads an iterator once that is passed under two names", () => {
  const records = orders.map((order) => ({
    order,
    trades: trades.filter(({ orderUid }) => orderUid === order.uid),
  }));
  const given = { records, competitions, around: { competitions } };
  const expected = build(tables.FILLS, given).toRecords();
  assert(expected.some(({ solver }) => solver !== null));
  const iterator = competitions.values();
  const read = build(tables.FILLS, {
    ...given,
    competitions: iterator,
    around: { competitions: iterator },
  });
  assertEquals(read.toRecords(), expected);
});

Deno.test("buildTable() says which part of a walk to pass as competitions", () => {
  const walked = [{ auctionId: 7, competition: competitions[0] }];
  const message = messageOf(() => build(tables.SOLUTIONS, { competitions: walked }));
  assertStringIncludes(message, "`book.competitions` yields them as `competition`");
});

Deno.test("buildTable() rejects orders without decoded trades for tables of fills", () => {
  const trade = debugReports[0]!.trades[0]!;
  const [order] = orders;
  const ofFills = ALL.filter(({ of }) => of[0] === "records");
  assert(ofFills.length > 1);
  for (const table of ofFills) {
    const of = (records: unknown) => build(table, { ...nothingOf(table), records });
    for (const trades of [[trade], undefined, Promise.resolve([]), new Map()]) {
      assertEquals(
        messageOf(() => of([{ order, trades }])),
        `Cannot build ${table.name} with records: record 0 has trades that are not decoded trades\n` +
          "Fix: Pass orders with their trades: `gatherOrders` returns them as `records`",
      );
    }
    assertEquals(of([{ order, trades: new Set() }]).height, 0);
  }
});

Deno.test("buildTable() sorts by key, whatever the order of the records", () => {
  const given = { orders: orders.toReversed(), competitions: competitions.toReversed(), trades };
  for (const table of [tables.ORDERS, tables.SOLUTIONS, tables.BIDS, tables.TRADES] as const) {
    const built = build(table, given);
    const key = table.key.filter((name) => built.columns.includes(name));
    assertEquals(built.toRecords(), built.sort({ by: key, maintainOrder: true }).toRecords());
    assert(built.height > 1 && built.select(...key).unique().height === built.height, table.name);
  }
});

Deno.test("toPolarsSchema rejects anything but a declared table, and records() anything but a frame", () => {
  for (
    const wrong of [
      undefined,
      null,
      "FILLS",
      [],
      Promise.resolve(tables.buildTable(tables.TRADES, { trades: [] })),
    ]
  ) {
    const schema = messageOf(() => tables.toPolarsSchema(wrong as never));
    const records = messageOf(() => tables.records(wrong as never));
    assertStringIncludes(schema, "Cannot return the schema of ");
    assertStringIncludes(records, "Cannot read rows from ");
  }
});

Deno.test("buildTable() accepts known networks and the local recordings", () => {
  for (const network of ["local", ...Object.keys(NETWORKS)]) {
    tables.buildTable(tables.TRADES, { trades: [], network });
  }
});
