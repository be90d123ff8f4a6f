import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { DecodeError, InputError } from "orderlens";
import {
  decodeAppData,
  decodeCompetition,
  decodeDebugReport,
  decodeErrorBody,
  decodeKind,
  decodeOrder,
  decodeOrderStatus,
  decodeQuoteResponse,
  decodeTrade,
  encodeAppData,
  encodeCompetition,
  encodeDebugReport,
  encodeOrder,
  encodeOrderStatus,
  isOpenStatus,
  isOrderStatus,
} from "orderlens/schemas";
import { decodeValidAppData } from "../../../lib/schemas/app_data.ts";
import { recordedObject } from "../recorded_bodies.ts";

function failureOf(run: () => unknown): { path: string; found: string; expected: string } {
  return assertThrows(run, DecodeError).failure;
}

/** 2^256 - 1. */
const MAX_WORD = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
/** 2^256. */
const TOO_LARGE = "115792089237316195423570985008687907853269984665640564039457584007913129639936";

Deno.test("decodeOrder() returns amounts as bigint, times as instants and hex as sent", async () => {
  const body = await recordedObject("order", (order) => order.quote !== undefined);
  const order = decodeOrder(body);
  assertEquals(order.sellAmount, BigInt(body.sellAmount as string));
  assertEquals(order.uid, body.uid);
  assert(order.creationDate.equals(body.creationDate as string));
  const quote = body.quote as Record<string, string>;
  assertEquals(order.quote?.sellTokenPrice.toString(), quote.sellTokenPrice);
});

Deno.test("decode() rejects amounts that are not plain digits, naming path and value", async () => {
  const body = await recordedObject("competition_v2");
  const [solution] = body.solutions as { orders: object[] }[];
  const texts = ["-1", "+1", "1.0", "007", "", " 1", "1 ", "0x10", "1e18", "9".repeat(79), "١"];
  for (const sellAmount of [...texts, 1000, null, true, ["1"]]) {
    const wrong = { ...solution, orders: [{ ...solution!.orders[0], sellAmount }] };
    const failure = failureOf(() => decodeCompetition({ ...body, solutions: [solution, wrong] }));
    assertEquals(failure.path, "solutions[1].orders[0].sellAmount");
    assert(failure.found.length <= 80);
    assert(failure.found === JSON.stringify(sellAmount) || failure.found.endsWith("…"));
  }
  const score = MAX_WORD;
  const { solutions } = decodeCompetition({ ...body, solutions: [{ ...solution, score }] });
  assertEquals(solutions[0]!.score, BigInt(score));
});

Deno.test("decoders reject amounts that exceed 256 bits, by field and value", async () => {
  const [order, quote, trade] = await Promise.all(
    (["order", "quote_response", "trade"] as const).map((kind) => recordedObject(kind)),
  );
  const competition = await recordedObject("competition_v2");
  const [solution] = competition.solutions as object[];
  const { prices } = competition.auction as { prices: Record<string, string> };
  const [token] = Object.keys(prices);
  const report = await recordedObject("debug_report", (one) => (one.auctions as []).length > 0);
  const [auction] = report.auctions as { nativePrices: Record<string, string> }[];
  const [priced] = Object.keys(auction!.nativePrices);
  const rows: [string, (amount: string) => unknown][] = [
    ["sellAmount", (sellAmount) => decodeOrder({ ...order, sellAmount })],
    ["buyAmount", (buyAmount) => decodeOrder({ ...order, buyAmount })],
    ["feeAmount", (feeAmount) => decodeOrder({ ...order, feeAmount })],
    ["executedFee", (executedFee) => decodeOrder({ ...order, executedFee })],
    [
      "quote.buyAmount",
      (buyAmount) =>
        decodeQuoteResponse({ ...quote, quote: { ...quote!.quote as object, buyAmount } }),
    ],
    ["buyAmount", (buyAmount) => decodeTrade({ ...trade, buyAmount })],
    [
      "solutions[0].score",
      (score) => decodeCompetition({ ...competition, solutions: [{ ...solution, score }] }),
    ],
    [
      `auction.prices[${JSON.stringify(token)}]`,
      (price) =>
        decodeCompetition({ ...competition, auction: { orders: [], prices: { [token!]: price } } }),
    ],
    [`auctions[0].nativePrices[${JSON.stringify(priced)}]`, (price) =>
      decodeDebugReport({
        ...report,
        auctions: [{ ...auction, nativePrices: { [priced!]: price } }],
      })],
  ];
  for (const [path, decode] of rows) {
    decode(MAX_WORD);
    for (const amount of [TOO_LARGE, "9".repeat(78), "9".repeat(79)]) {
      const failure = failureOf(() => decode(amount));
      assertEquals(failure.path, path);
      assertStringIncludes(failure.found, amount.slice(0, 70));
      assertStringIncludes(failure.expected, "below 2^256");
    }
  }
});

Deno.test("decodeOrder() reads totals of fills beyond 256 bits, which the service sums", async () => {
  const body = { ...await recordedObject("order"), executedBuyAmount: TOO_LARGE };
  const order = decodeOrder(body);
  assertEquals(order.executedBuyAmount, 2n ** 256n);
  assertEquals(encodeOrder(order), body);
});

Deno.test("decode() rejects UIDs of a wrong length, unsafe integers and missing fields", async () => {
  const trade = await recordedObject("trade");
  const uid = trade.orderUid as string;
  for (const bad of [uid.slice(0, -2), uid + "00", uid.slice(0, -1) + "g", uid.slice(2), 7]) {
    assertEquals(failureOf(() => decodeTrade({ ...trade, orderUid: bad })).path, "orderUid");
  }
  for (const bad of [2 ** 53, 1.5, -1, "7", null]) {
    assertEquals(failureOf(() => decodeTrade({ ...trade, blockNumber: bad })).path, "blockNumber");
  }
  for (const key of ["orderUid", "txHash", "sellAmount"]) {
    const { [key]: _, ...rest } = trade;
    const failure = failureOf(() => decodeTrade(rest));
    assertEquals([failure.path, failure.found], [key, "nothing"]);
  }
});

Deno.test("decode() rejects __proto__ as a key, at the top and deep inside unknown fields", async () => {
  const text = JSON.stringify(await recordedObject("trade"));
  const top: unknown = JSON.parse(text.replace("{", '{"__proto__":{"admin":true},'));
  assertEquals(failureOf(() => decodeTrade(top)).path, "__proto__");
  const deep: unknown = JSON.parse(text.replace("{", '{"later":{"a":[{"__proto__":1}]},'));
  assertEquals(failureOf(() => decodeTrade(deep)).path, "later.a[0].__proto__");
  const nested = `${"[".repeat(20_000)}{"__proto__":1}${"]".repeat(20_000)}`;
  const deepest: unknown = JSON.parse(text.replace("{", `{"later":${nested},`));
  const { path } = failureOf(() => decodeTrade(deepest));
  // A very deep path is cut in its middle.
  const ends = [path.length, path.slice(0, 11), path.slice(-13)];
  assertEquals(ends, [401, "later[0][0]", "[0].__proto__"]);
});

Deno.test("decode() preserves unknown fields and unknown values of open sets, and rejects an unknown kind of order", async () => {
  const body = await recordedObject("order");
  const changed = { ...body, status: "postponed", class: "oracle", later: { deep: ["1"] } };
  const order = decodeOrder(changed);
  assertEquals(order.status, "postponed");
  assertEquals(isOrderStatus(order.status), false);
  assertEquals(isOrderStatus("fulfilled"), true);
  assertEquals(["open", "presignaturePending", "expired", "resting"].map(isOpenStatus), [
    ...[true, true],
    ...[false, false],
  ]);
  assertEquals(encodeOrder(order), changed);
  const failure = failureOf(() => decodeOrder({ ...body, kind: "swap" }));
  assertEquals([failure.path, failure.expected], ["kind", '"sell" or "buy"']);
});

Deno.test("decodeDebugReport() converts exponent text exactly, and writes plain digits", async () => {
  const body = await recordedObject("debug_report", (one) => (one.trades as []).length > 0);
  const [trade] = body.trades as Record<string, unknown>[];
  const cases: [string, bigint][] = [
    ["100e+16", 10n ** 18n],
    ["1E2", 100n],
    ["1.25e+2", 125n],
    ["1500e-2", 15n],
    ["0e+20", 0n],
    ["1e+0", 1n],
    ["1e+77", 10n ** 77n],
    ["0e+99", 0n],
    ["123456789123456789123456789e+3", 123456789123456789123456789000n],
  ];
  for (const [text, atoms] of cases) {
    const report = decodeDebugReport({ ...body, trades: [{ ...trade, sellAmount: text }] });
    assertEquals(report.trades[0]!.sellAmount, atoms, text);
    const encoded = encodeDebugReport(report) as { trades: { sellAmount: string }[] };
    assertEquals(encoded.trades[0]!.sellAmount, atoms.toString());
  }
  const numbers = [
    "4.21E-10",
    "1.5",
    "9e+77",
    "12e+76",
    TOO_LARGE,
    "1e+78",
    "10e+77",
    "1e+100",
    "1e+9999",
    "1e-1",
    "01e+2",
  ];
  const texts = ["100e+16 ", "1e+1.5", "-1e+2", "e+2", "1e", "1e+", "1e+x", "1e+1x"];
  for (const sellAmount of [...numbers, ...texts]) {
    const trades = [{ ...trade, sellAmount }];
    const { path } = failureOf(() => decodeDebugReport({ ...body, trades }));
    assertEquals(path, "trades[0].sellAmount");
  }
});

Deno.test("decodeDebugReport() preserves a fractional price and quote numbers with an exponent exactly", async () => {
  const body = await recordedObject("debug_report", (one) => {
    const { order, auctions } = one as { order: { quote?: unknown }; auctions: unknown[] };
    return order.quote !== undefined && auctions.length > 0;
  });
  const order = body.order as { quote: Record<string, unknown>; sellToken: string };
  const [auction] = body.auctions as Record<string, unknown>[];
  const token = order.sellToken;
  const report = decodeDebugReport({
    ...body,
    order: { ...order, quote: { ...order.quote, sellTokenPrice: "4.21E-10" } },
    auctions: [{ ...auction, nativePrices: { [token]: "4.21E-10" } }],
  });
  assertEquals(report.order.quote?.sellTokenPrice.toString(), "0.000000000421");
  assertEquals(String(report.auctions[0]!.nativePrices[token]), "0.000000000421");
});

Deno.test("encode() preserves the number of fractional digits of timestamps", async () => {
  const body = await recordedObject("order");
  const fractions = ["", "5", "500", "500000", "123456", "123456789", "000", "000001", "120"];
  for (const fraction of fractions) {
    const creationDate = `2026-11-21T15:00:23${fraction && "."}${fraction}Z`;
    const encoded = encodeOrder(decodeOrder({ ...body, creationDate })) as { creationDate: string };
    assertEquals(encoded.creationDate, creationDate);
  }
  const days = ["2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-01T24:00:00Z"];
  const times = ["00:00:60Z", "00:00:00", "00:00:00.Z", "00:00:00.1234567890Z"];
  const forms = [...days, ...times.map((time) => `2026-01-01T${time}`), "2026-01-01 00:00:00Z"];
  for (const creationDate of [...forms, 1_700_000_000]) {
    const { path } = failureOf(() => decodeOrder({ ...body, creationDate }));
    assertEquals(path, "creationDate", String(creationDate));
  }
});

Deno.test("decodeErrorBody() accepts explained errors and the text of proxies and frameworks", () => {
  const explained = { errorType: "NoLiquidity", description: "no route found", data: { a: 1 } };
  const brief = { errorType: "NotFound" };
  for (
    const body of [
      explained,
      brief,
      { ...brief, description: null },
      "",
      "<html><h1>502</h1></html>",
      "Invalid URL: …",
    ]
  ) {
    assertEquals(decodeErrorBody(body), body);
  }
  assertThrows(() => decodeErrorBody({ message: "Forbidden" }), DecodeError);
});

Deno.test("encode() rejects invalid fields and names them", async () => {
  const competition = decodeCompetition(await recordedObject("competition_v2"));
  const negative = { ...competition, referenceScores: { [`0x${"ab".repeat(20)}`]: -1n } };
  const error = assertThrows(() => encodeCompetition(negative), InputError);
  assert(error.message.includes("referenceScores"), error.message);
  const { auctionId: _, ...partial } = competition;
  assertThrows(() => encodeCompetition(partial as typeof competition), InputError, "auctionId");
  const flat = { ...competition, solutions: 5 } as unknown as typeof competition;
  assertThrows(() => encodeCompetition(flat), InputError, "solutions must be a list");
  const none = null as unknown as typeof competition;
  assertThrows(() => encodeCompetition(none), InputError, "it must be an object");
});

Deno.test("DecodeError names subject, path, expected and found value", async (t) => {
  const body = await recordedObject("competition_v2");
  const solutions = structuredClone(body.solutions) as Record<string, unknown>[];
  solutions[0]!.score = "12.5";
  const options = { source: "GET /api/v2/solver_competition/7" };
  const decode = () => decodeKind("competition_v2", { ...body, solutions }, options);
  const error = assertThrows(decode, DecodeError);
  await t.assertSnapshot(error.message.split("\n"));
});

Deno.test("DecodeError shows a field name that is no address, not the value behind it", async () => {
  const body = await recordedObject("competition_v2");
  const auction = { ...body.auction as object, prices: { "0x12": "5" } };
  const { path, expected, found } = failureOf(() =>
    decodeKind("competition_v2", { ...body, auction })
  );
  assertEquals([path, expected, found], [
    'auction.prices["0x12"]',
    "a field named by an address: 0x and 40 hex digits",
    '"0x12"',
  ]);
});

Deno.test("decode() accepts or rejects a body nested 20,000 levels deep like any other", () => {
  const list = JSON.parse("[".repeat(20_000) + "]".repeat(20_000));
  const object = JSON.parse('{"a":'.repeat(20_000) + "1" + "}".repeat(20_000));
  for (const deep of [list, object]) {
    assertThrows(() => decodeOrder(deep), DecodeError);
    assertThrows(() => decodeOrderStatus({ type: deep }), DecodeError);
    assertEquals(encodeOrderStatus(decodeOrderStatus({ type: "open", deep })) !== null, true);
    const odd = decodeAppData({ metadata: { partnerFee: deep } });
    assertEquals(odd.metadata, {});
    const { metadata } = decodeAppData({ metadata: { deep } });
    assert((metadata as { deep?: unknown }).deep === deep);
  }
  assertThrows(() => decodeAppData(list), DecodeError, "must be an object");
});

Deno.test("decode() examines only the first of millions of errors of a list", () => {
  const value: unknown[] = new Array(5_001).fill(1);
  let reads = 0;
  Object.defineProperty(value, 5_000, {
    get() {
      reads++;
      return 1;
    },
  });
  assertEquals(failureOf(() => decodeOrderStatus({ type: "active", value })).path, "value[0]");
  // It is searched for a key `__proto__`, and not decoded.
  assertEquals(reads, 1);
});

Deno.test("decode() finds an error at any position of a list, and after many unknown fields", () => {
  for (const at of [99, 100, 1_000, 12_345]) {
    const value: unknown[] = new Array(12_400).fill({ solver: "a" });
    value[at] = 1;
    const failure = failureOf(() => decodeOrderStatus({ type: "active", value }));
    assertEquals([failure.path, failure.found], [`value[${at}]`, "1"]);
  }
  const unknown = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`k${at}`, at]));
  for (const [body, found] of [[unknown, "nothing"], [{ ...unknown, type: 7 }, "7"]] as const) {
    const failure = failureOf(() => decodeOrderStatus(body));
    assertEquals([failure.path, failure.found], ["type", found]);
  }
});

Deno.test("decodeAppData() types the parts of version 1.16.0, and preserves unknown ones", () => {
  const body = {
    version: "1.16.0",
    metadata: {
      bridging: {
        providerId: "cow-sdk://bridging/providers/across",
        destinationChainId: "8453",
        destinationTokenAddress: "A.b19436aae4d94622.FiatToken",
        quoteId: "60012",
        newField: 1,
      },
      widget: { appCode: "CoW Swap-SafeApp", environment: "production" },
      userConsents: [{ terms: "QmYwAPJz", acceptedDate: "2025-11-11T23:00:00Z" }],
      enableFastPath: true,
    },
  };
  const document = decodeAppData(body);
  assertEquals(encodeAppData(document), body);
  const { bridging, widget, userConsents, enableFastPath } = document.metadata!;
  const [consent] = userConsents!;
  const { destinationChainId, destinationTokenAddress } = bridging!;
  const typed = [destinationChainId, destinationTokenAddress, widget!.appCode];
  assertEquals([...typed, consent!.acceptedDate, enableFastPath], [
    ...["8453", "A.b19436aae4d94622.FiatToken", "CoW Swap-SafeApp"],
    ...["2025-11-11T23:00:00Z", true],
  ]);

  const byHand = { bridging: { destinationChainId: 100 }, widget: { appCode: null } };
  assertEquals(encodeAppData(decodeAppData({ metadata: byHand })), { metadata: byHand });
  const odd = { metadata: { userConsents: [{ terms: 1 }] } };
  assertEquals(failureOf(() => decodeValidAppData(odd)).path, "metadata.userConsents[0].terms");
});
