import { assertEquals, assertThrows } from "@std/assert";
import { InputError } from "orderlens";
import {
  checkOptions,
  numberAtLeast,
  numberFrom,
  oneOf,
  type OptionRules,
  orderBy,
  required,
  requireWord,
  wholeNumber,
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
  title: String,
  wide: Boolean,
  facet: oneOf("kind", "pair", "solver"),
  sort: orderBy("fills", "median_bps"),
  width: numberFrom(240, 4_000, "pixels"),
  limit: wholeNumber(1),
};

/** Rules that the compiler refuses: a kind of another type, and a word too few or too many. */
export const REFUSED_RULES: readonly OptionRules<Options>[] = [
  // @ts-expect-error A text is no flag.
  { ...RULES, wide: String },
  // @ts-expect-error A flag is no text.
  { ...RULES, title: Boolean },
  // @ts-expect-error Any text is not one of some words.
  { ...RULES, facet: String },
  // @ts-expect-error A word is missing.
  { ...RULES, facet: oneOf("kind", "pair") },
  // @ts-expect-error There is no such word.
  { ...RULES, facet: oneOf("kind", "pair", "solver", "token") },
  // @ts-expect-error Options are missing.
  { title: String },
  // @ts-expect-error There is no such option.
  { ...RULES, height: wholeNumber(1) },
];

function messageFor(options: unknown, rules: object = RULES): string {
  const check = () => checkOptions(options as object, rules as never, "Cannot draw it");
  return assertThrows(check, InputError).message;
}

Deno.test("checkOptions() accepts known and omitted options", () => {
  checkOptions({}, RULES, "Cannot draw it");
  checkOptions({ limit: undefined }, RULES, "Cannot draw it");
  const all: Options = { title: "", wide: false, facet: "kind", sort: "-median_bps", width: 240 };
  checkOptions({ ...all, limit: 1 }, RULES, "Cannot draw it");
});

for (
  const [options, message] of [
    [
      { titel: "fills" },
      'with "titel": unknown option\nFix: Pass title; other options are wide, facet, sort, width, limit',
    ],
    [
      { colour: "red" },
      'with "colour": unknown option\nFix: Pass title, wide, facet, sort, width, limit',
    ],
    [
      { facet: "knd" },
      'with facet "knd"\nFix: Pass kind as facet; other values are pair, solver',
    ],
    [
      { sort: "-median" },
      'with sort "-median"\nFix: Pass -median_bps as sort; other values are fills, -fills, median_bps',
    ],
    [
      { facet: "SOLVER" },
      'with facet "SOLVER"\nFix: Pass solver as facet; other values are kind, pair',
    ],
    [
      { sort: "median" },
      'with sort "median"\nFix: Pass median_bps as sort; other values are fills, -fills, -median_bps',
    ],
    [
      { sort: "-fils" },
      'with sort "-fils"\nFix: Pass -fills as sort; other values are fills, median_bps, -median_bps',
    ],
    [
      { facet: "so" },
      'with facet "so"\nFix: Pass one of kind, pair, solver as facet, or leave it out',
    ],
    [
      { facet: "q" },
      'with facet "q"\nFix: Pass one of kind, pair, solver as facet, or leave it out',
    ],
  ] as const
) {
  Deno.test(`checkOptions() names the known and the nearest for ${JSON.stringify(options)}`, () => {
    assertEquals(messageFor(options), `Cannot draw it ${message}`);
  });
}

Deno.test("checkOptions() describes a value of another kind", () => {
  const title = (value: unknown) => messageFor({ title: value }).split("\n")[0];
  for (
    const [value, shown] of [
      ...[[5, "5"], [null, "null"], [["a"], "an array"]],
      ...[[new Map(), "a Map"], [{}, "an object"]],
    ]
  ) assertEquals(title(value), `Cannot draw it with title ${shown}`);
});

Deno.test("checkOptions() takes a class as the rule of its values", () => {
  const signal = new AbortController().signal;
  const rules = { a: Boolean, b: String, c: BigInt, d: Function, e: AbortSignal };
  checkOptions({ a: false, b: "", c: 0n, d: () => {}, e: signal }, rules, "Cannot draw it");
  for (
    const [name, expected, values] of [
      ["a", "true or false", ["true", 0, null, new Boolean(true)]],
      ["b", "a text", [5, null, new String("x")]],
      ["c", "atoms as a bigint", [5, "5", null]],
      ["d", "a function", ["f", {}, null]],
      ["e", "the signal of an AbortController", [new AbortController(), {}, null]],
    ] as const
  ) {
    for (const value of values) {
      const [, fix] = messageFor({ [name]: value }, rules).split("\n");
      assertEquals(fix, `Fix: Pass ${expected} as ${name}, or leave it out`);
      assertEquals(
        messageFor({ [name]: value }, { [name]: required(rules[name] as never) }).split("\n")[1],
        `Fix: Pass ${expected} as ${name}`,
      );
    }
  }
});

const NUMBERS = {
  width: numberFrom(240, 4_000, "pixels"),
  limit: wholeNumber(1),
  concurrency: wholeNumber(1, 64),
  timeoutMs: numberAtLeast(1),
};

/** What numbers may be, and values that are refused. */
const REFUSED: readonly [name: keyof typeof NUMBERS, expected: string, values: unknown[]][] = [
  ["width", "a number of pixels from 240 to 4,000", ["wide", "300", NaN, 239, 4_001]],
  ["limit", "a whole number of at least 1", [-1, 0, 1.5, Infinity, "3"]],
  ["concurrency", "a whole number from 1 to 64", [0, 65, 1.5, "4", 4n, null]],
  ["timeoutMs", "a number of at least 1", [0, 0.5, NaN, "30", 30n]],
];

Deno.test("checkOptions() keeps numbers within their bounds", () => {
  for (const [name, expected, values] of REFUSED) {
    for (const value of values) {
      const [, fix] = messageFor({ [name]: value }, NUMBERS).split("\n");
      assertEquals(fix, `Fix: Pass ${expected} as ${name}, or leave it out`);
    }
  }
  checkOptions({ concurrency: 64, timeoutMs: Infinity }, NUMBERS as never, "Cannot ask");
  checkOptions({ concurrency: 1, timeoutMs: 1.5, width: 4_000 }, NUMBERS as never, "Cannot ask");
});

Deno.test("checkOptions() names no alternatives for a single option or value", () => {
  const text = (options: unknown) => messageFor(options, { by: oneOf("pair") }).split("\n")[1];
  assertEquals(text({ bye: "pair" }), "Fix: Pass by");
  assertEquals(text({ by: "pairs" }), "Fix: Pass pair as by");
});

Deno.test("checkOptions() suggests a word without its separators", () => {
  const text = (by: string) =>
    messageFor({ by }, { by: oneOf("userShown", "limit") }).split("\n")[1];
  const meant = "Fix: Pass userShown as by; other values are limit";
  assertEquals(["user  --  shown", "USER_SHOWN", " shown "].map(text), [meant, meant, meant]);
});

Deno.test("checkOptions() never suggests omitting a required option", () => {
  const rules = { from: required(wholeNumber(0)), limit: wholeNumber(1) };
  const text = (options: unknown) => messageFor(options, rules);
  const withNothing = "Cannot draw it with undefined as options";
  assertEquals(text(undefined), `${withNothing}\nFix: Pass an object with from, limit`);
  const fix = "Fix: Pass a whole number of at least 0 as from";
  for (const options of [{}, { from: undefined }]) {
    assertEquals(text(options), `Cannot draw it without from\n${fix}`);
  }
  assertEquals(text({ from: "1" }), `Cannot draw it with from "1"\n${fix}`);
});

const WORDS = ["gross", "net", "userShown", "limit"];

function refusalOf(word: unknown): string {
  return assertThrows(
    () => requireWord(word, WORDS, { noun: "baseline", action: "Cannot measure slippage" }),
    InputError,
  ).message;
}

Deno.test("requireWord() names the nearest word, and all", async (t) => {
  await t.assertSnapshot(refusalOf("shown"));
  const meant = (word: unknown) => /did you mean "(\w+)"/.exec(refusalOf(word))?.[1];
  assertEquals(
    ["user_shown", "USERSHOWN", " gros ", "limits", "quote", "", 7, undefined].map(meant),
    ["userShown", "userShown", "gross", "limit", undefined, undefined, undefined, undefined],
  );
});

Deno.test("checkOptions() shows no key of a URL that is passed as the value of another option", () => {
  const url = "https://mira:pass-word@node.example/v2/a1b2c3d4e5f6a7b8c9d0e1?apikey=0123";
  const error = assertThrows(
    () =>
      checkOptions({ count: url as unknown as number }, { count: wholeNumber(1) }, "Cannot count"),
    InputError,
  );
  assertEquals(
    error.message.includes("https://[hidden]@node.example/v2/[hidden]?apikey=[hidden]"),
    true,
  );
});
