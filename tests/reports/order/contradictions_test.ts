import { connect, NotRecordedError } from "orderlens";
import { replay } from "orderlens/recordings";
import { inspectOrder } from "orderlens/reports";
import { assert, assertEquals } from "@std/assert";
import { changedBook } from "../../datasets/altered_book.ts";
import { cannedBook, orderBody, tradeBody, uidOf } from "../canned_book.ts";

const UID =
  "0x14c1cf9c822fac6b338e0b7ce82dc81cd6fede5b9ff0fca16d432af2ff9c462028436801e7093ba424a28a66512aa31760c192b66b01b61e";

const recording = await replay("market_1");

Deno.test("inspectOrder() names facts of responses that contradict each other", async () => {
  const whole = await inspectOrder(connect(recording), UID);
  assertEquals(whole.unknown.filter(({ what }) => what === "contradiction"), []);

  const lagging = changedBook(
    recording,
    ({ path }, response) =>
      path.startsWith("/api/v2/trades?") ? { ...response, body: "[]" } : response,
  );
  const { unknown } = await inspectOrder(lagging, UID);
  const [sold] = unknown.filter(({ what }) => what === "contradiction");
  assert(
    sold?.why.includes(
      "order.executedSellAmount is 6856841588000000000, but sum of 0 trade.sellAmount is 0",
    ),
    sold?.why,
  );

  const failing = changedBook(
    recording,
    ({ path }, response) =>
      path.startsWith("/api/v2/trades?") ? { ...response, status: 502, body: "" } : response,
  );
  const report = await inspectOrder(failing, UID);
  assert(report.unknown.some(({ what }) => what === "trades"));
  assertEquals(report.unknown.filter(({ what }) => what === "contradiction"), []);
});

/** The recording with the responses of some paths alone, as if no other one had been recorded. */
function recordedAlone(isRecorded: (path: string) => boolean, isRouteRecorded: boolean) {
  return changedBook(recording, ({ path }, response) => {
    if (isRecorded(path)) return response;
    throw new NotRecordedError(`Cannot replay ${path}`, { isRouteRecorded, remedy: "Record it" });
  });
}

Deno.test("inspectOrder() takes no response that was not recorded for an empty one", async () => {
  for (const isRouteRecorded of [false, true]) {
    const book = recordedAlone((path) => path.endsWith(`/orders/${UID}`), isRouteRecorded);
    const { verdict, sentence, evidence, unknown, money, timeline } = await inspectOrder(book, UID);
    assertEquals(timeline.map(({ kind }) => kind), ["created", "fill", "expiry"]);
    assertEquals([verdict, evidence.stage], ["filled", "refused"]);
    assertEquals(sentence, "Filled, in a transaction that no response shows.");
    assert(money!.places[0]!.text.endsWith(", in a transaction that no response shows"));
    assertEquals(unknown.map(({ what }) => what), ["trades", "events", "auctions", "attempts"]);
  }
});

Deno.test("inspectOrder() calls an order filled in part by its own amounts, with and without its trades", async () => {
  for (const trades of [null, [tradeBody({ sellAmount: "40", buyAmount: "90" })]]) {
    const executed = { executedSellAmount: "40", executedSellAmountBeforeFees: "40" };
    const { book } = cannedBook({
      [`/api/v1/orders/${uidOf("01")}`]: orderBody({
        ...{ ...executed, executedBuyAmount: "90", partiallyFillable: true, status: "expired" },
      }),
      [`/api/v1/orders/${uidOf("01")}/status`]: { type: "traded" },
      ...trades !== null && { "/api/v2/trades": trades },
    });
    const { verdict, sentence, alsoHappened } = await inspectOrder(book, uidOf("01"));
    assertEquals(verdict, "partly_filled_expired_unknown");
    assert(sentence.startsWith("Expired with 40.0% filled"), sentence);
    assertEquals(alsoHappened, []);
  }
});

Deno.test("inspectOrder() takes the fills of a debug report where the trades were not recorded", async () => {
  const whole = await inspectOrder(connect(recording), UID);
  const book = recordedAlone((path) => !path.includes("/trades"), false);
  const { fills, sentence, unknown } = await inspectOrder(book, UID);
  assertEquals(sentence, whole.sentence);
  const toFacts = ({ txHash, surplusAtoms }: typeof fills[number]) => [txHash, surplusAtoms];
  assertEquals(fills.map(toFacts), whole.fills.map(toFacts));
  assertEquals(unknown, []);
});
