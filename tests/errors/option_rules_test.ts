import { assertEquals, assertThrows } from "@std/assert";
import { InputError } from "orderlens";
import {
  atLeast,
  checkOptions,
  FLAG,
  needed,
  numberFrom,
  oneOf,
  type OptionRules,
  orderBy,
  TEXT,
  wholeFrom,
} from "../../lib/errors/option_rules.ts";

interface Options {
  title?: string;
  wide?: boolean;
  facet?: "kind" | "pair" | "solver";
  sort?: "fills" | "-fills" | "median_bps" | "-median_bps";
  width?: number;
  limit?: number | undefined;
}

const RULES: OptionRules<Options> = {
  title: TEXT,
  wide: FLAG,
  facet: oneOf("kind", "pair", "solver"),
  sort: orderBy("fills", "median_bps"),
  width: numberFrom(240, 4_000, "pixels"),
  limit: wholeFrom(1),
};

function messageFor(options: unknown): string {
  const check = () => checkOptions(options as Options, RULES, "Cannot draw it");
  return assertThrows(check, InputError).message;
}

Deno.test("checkOptions() accepts known and omitted options", () => {
  checkOptions({}, RULES, "Cannot draw it");
  checkOptions({ limit: undefined }, RULES, "Cannot draw it");
  const all = {
    title: "",
    wide: false,
    facet: "kind",
    sort: "-median_bps",
    width: 240,
    limit: 1,
  } as const;
  checkOptions<Options>(all, RULES, "Cannot draw it");
});

Deno.test("checkOptions() names an unknown option, the known ones and the nearest", () => {
  assertEquals(
    messageFor({ titel: "fills" }),
    'Cannot draw it with "titel": unknown option\n' +
      "Fix: Pass title; other options are wide, facet, sort, width, limit",
  );
  assertEquals(
    messageFor({ colour: "red" }),
    'Cannot draw it with "colour": unknown option\n' +
      "Fix: Pass title, wide, facet, sort, width, limit",
  );
});

Deno.test("checkOptions() names an unknown value, the known ones and the nearest", () => {
  assertEquals(
    messageFor({ facet: "knd" }),
    'Cannot draw it with facet "knd"\n' +
      "Fix: Pass kind as facet; other values are pair, solver",
  );
  assertEquals(
    messageFor({ sort: "-median" }),
    'Cannot draw it with sort "-median"\n' +
      "Fix: Pass -median_bps as sort; other values are fills, -fills, median_bps",
  );
});

Deno.test("checkOptions() suggests no value if none is near", () => {
  assertEquals(
    messageFor({ facet: "q" }).split("\n")[1],
    "Fix: Pass one of kind, pair, solver as facet, or leave it out",
  );
});

Deno.test("checkOptions() rejects a value of another kind", () => {
  const title = (value: unknown) => messageFor({ title: value }).split("\n")[0];
  assertEquals(title(5), "Cannot draw it with title 5");
  assertEquals(title(null), "Cannot draw it with title null");
  assertEquals(title(["a"]), "Cannot draw it with title an array");
  assertEquals(title(new Map()), "Cannot draw it with title a Map");
  assertEquals(title({}), "Cannot draw it with title an object");
  for (const width of ["wide", "300", NaN, 239, 4_001]) {
    assertEquals(
      messageFor({ width }).split("\n")[1],
      "Fix: Pass a number of pixels from 240 to 4,000 as width, or leave it out",
    );
  }
  for (const limit of [-1, 0, 1.5, Infinity, "3"]) {
    assertEquals(
      messageFor({ limit }).split("\n")[1],
      "Fix: Pass a whole number of at least 1 as limit, or leave it out",
    );
  }
});

Deno.test("checkOptions() keeps numbers within their bounds", () => {
  const rules = { concurrency: wholeFrom(1, 64), timeoutMs: atLeast(1) };
  const fixOf = (options: unknown) =>
    assertThrows(
      () =>
        checkOptions(options as { concurrency: number; timeoutMs: number }, rules, "Cannot ask"),
      InputError,
    ).message.split("\n")[1];
  for (const concurrency of [0, 65, 1.5, "4", 4n, null]) {
    assertEquals(
      fixOf({ concurrency, timeoutMs: 1 }),
      "Fix: Pass a whole number from 1 to 64 as concurrency, or leave it out",
    );
  }
  for (const timeoutMs of [0, 0.5, NaN, "30", 30n]) {
    assertEquals(
      fixOf({ concurrency: 1, timeoutMs }),
      "Fix: Pass a number of at least 1 as timeoutMs, or leave it out",
    );
  }
  checkOptions({ concurrency: 64, timeoutMs: Infinity }, rules, "Cannot ask");
  checkOptions({ concurrency: 1, timeoutMs: 1.5 }, rules, "Cannot ask");
});

Deno.test("checkOptions() rejects options that are not an object", () => {
  for (const [options, name] of [["kind", '"kind"'], [null, "null"], [[1], "an array"]]) {
    assertEquals(messageFor(options).split("\n")[0], `Cannot draw it with ${name} as options`);
  }
});

Deno.test("checkOptions() names no alternatives for a single option or value", () => {
  const text = (options: unknown) =>
    assertThrows(
      () => checkOptions(options as { by?: "pair" }, { by: oneOf("pair") }, "Cannot group"),
      InputError,
    ).message.split("\n")[1];
  assertEquals(text({ bye: "pair" }), "Fix: Pass by");
  assertEquals(text({ by: "pairs" }), "Fix: Pass pair as by");
});

Deno.test("checkOptions() never says to omit a required option", () => {
  const rules = { from: needed(wholeFrom(0)), limit: wholeFrom(1) };
  const text = (options: unknown) =>
    assertThrows(
      () => checkOptions(options as { from: number; limit?: number }, rules, "Cannot walk"),
      InputError,
    ).message;
  assertEquals(
    text(undefined),
    "Cannot walk with undefined as options\nFix: Pass an object with from, limit",
  );
  for (const options of [{}, { from: undefined }]) {
    assertEquals(
      text(options),
      "Cannot walk without from\nFix: Pass a whole number of at least 0 as from",
    );
  }
  assertEquals(
    text({ from: "1" }),
    'Cannot walk with from "1"\nFix: Pass a whole number of at least 0 as from',
  );
});
