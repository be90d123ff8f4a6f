import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { InputError, NETWORKS } from "orderlens";
import * as tables from "orderlens/tables";
import {
  type Build,
  builderOf,
  BUILDERS,
  competitions,
  debugReports,
  NEEDED,
  orders,
  trades,
} from "./market.ts";

/** Options in which `null` means unknown. */
const MAY_BE_NULL = ["quoteReward", "surplusCapturingJitOrderOwners"];

/** Options that take an object of any names, also one of none. */
const MAY_BE_EMPTY = ["solvers"];

function messageOf(run: () => unknown): string {
  return assertThrows(run, InputError).message;
}

Deno.test("every table has a function, and every function a table", () => {
  const functions = [...BUILDERS.keys()];
  const expected = tables.TABLES.map(({ name }) => builderOf(name));
  const unexported = expected.filter((name) => !functions.includes(name));
  assertEquals(
    unexported,
    [],
    `${unexported.join(", ")} is not exported: add it to lib/tables/mod.ts`,
  );
  const unlisted = functions.filter((name) => !expected.includes(name));
  assertEquals(
    unlisted,
    [],
    `The table of ${unlisted.join(", ")} is not listed: add it to TABLES in lib/tables/tables.ts`,
  );
});

for (const [name, build] of BUILDERS) {
  const needed = NEEDED[name] ?? {};
  const action = `Cannot build ${name}`;

  const takesNone = messageOf(() => build([], { ...needed, noSuchOption: 1 }))
    .endsWith("there are no options");
  if (takesNone) {
    Deno.test(`${name}() rejects any option`, () => {
      const fix = "\nFix: Leave it out: there are no options";
      assertEquals(
        messageOf(() => build([], { network: "mainnet" })),
        `${action} with "network": unknown option${fix}`,
      );
      assertEquals(messageOf(() => build([], null)), `${action} with null as options${fix}`);
      assertEquals(build([], {}).height, 0);
      assertEquals(build([], undefined).height, 0);
    });
  } else {
    Deno.test(`${name}() rejects unknown options and invalid values`, () => {
      const unknown = messageOf(() => build([], { ...needed, noSuchOption: 1 }));
      assertStringIncludes(unknown, `${action} with "noSuchOption": unknown option`);
      assertStringIncludes(messageOf(() => build([], null)), `${action} with null as options`);
      for (const option of unknown.split("Fix: Pass ")[1]!.split(", ")) {
        for (const value of ["no such word", {}, Symbol("x"), null, NaN, [1], Promise.resolve()]) {
          if (value === null && MAY_BE_NULL.includes(option)) continue;
          const isPlain = Object.getPrototypeOf(Object(value)) === Object.prototype;
          if (isPlain && MAY_BE_EMPTY.includes(option)) continue;
          const text = messageOf(() => build([], { ...needed, [option]: value }));
          assertStringIncludes(text, `${action} with ${option} `);
          assertStringIncludes(text, ` as ${option}`);
        }
        if (!(option in needed)) build([], { ...needed, [option]: undefined });
      }
    });
  }

  Deno.test(`${name}() rejects records of another kind`, () => {
    const messageFor = (records: unknown) => messageOf(() => build(records, { ...needed }));
    for (
      const [wrong, words] of [
        [Promise.resolve([]), "from a promise\nFix: Pass an array of"],
        [{ async *[Symbol.asyncIterator]() {} }, "`await Array.fromAsync(…)`"],
        [new Map([[1, {}]]), "from a Map"],
        [tables.ordersTable([]), "from a frame"],
        [undefined, "from undefined"],
        ["records", 'from "records"'],
        [{}, "from an object"],
        [[null], "record 0 is null"],
        [[{}], "record 0 has no "],
      ] as const
    ) {
      const text = messageFor(wrong);
      assert(text.startsWith(action), text);
      assertStringIncludes(text, words);
    }
    assertStringIncludes(messageFor(Promise.resolve([])), "`await` it first");
    const odd = ["ordersTable", "tokensTable"].includes(name) ? trades : orders;
    assertStringIncludes(messageFor(odd), `${action}: record 0 has no `);
    assertEquals(build(new Set(), { ...needed }).height, 0);
  });
}

Deno.test("tables of competitions say which part of a walk to pass", () => {
  const walked = [{ auctionId: 7, competition: competitions[0] }];
  const message = messageOf(() => (tables.solutionsTable as Build)(walked));
  assertStringIncludes(message, "`book.competitions` yields them as `competition`");
});

Deno.test("lifecycleTable() requires the time of the answers", () => {
  assertEquals(
    messageOf(() => (tables.lifecycleTable as Build)([], {})),
    "Cannot build lifecycleTable without now\n" +
      "Fix: Pass the time of the answers, a Temporal.Instant, as now",
  );
});

Deno.test("tables of fills reject debug reports, and orders without trades", () => {
  const trade = debugReports[0]!.trades[0]!;
  for (
    const name of [
      "fillsTable",
      "feeStepsTable",
      "feesTable",
      "bestOtherBidsTable",
      "markoutTable",
    ]
  ) {
    const build = BUILDERS.get(name)!;
    const [order] = orders;
    for (const trades of [[trade], undefined, Promise.resolve([]), new Map()]) {
      assertEquals(
        messageOf(() => build([{ order, trades }], { ...NEEDED[name] })),
        `Cannot build ${name}: record 0 has trades that are not decoded trades\n` +
          "Fix: Pass orders with their trades: `gatherOrders` returns them as `records`",
      );
    }
    assertEquals(build([{ order, trades: new Set() }], { ...NEEDED[name] }).height, 0);
  }
});

Deno.test("schemaOf() rejects anything but a declared table, and records() anything but a frame", () => {
  for (const wrong of [undefined, null, "FILLS", [], Promise.resolve(tables.tradesTable([]))]) {
    const schema = messageOf(() => tables.schemaOf(wrong as never));
    const records = messageOf(() => tables.records(wrong as never));
    assertStringIncludes(schema, "Cannot return the schema of ");
    assertStringIncludes(records, "Cannot read rows from ");
  }
});

Deno.test("tables accept known networks, and the local recordings", () => {
  for (const network of ["local", ...Object.keys(NETWORKS)]) tables.tradesTable([], { network });
});
