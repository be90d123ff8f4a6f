import { connect } from "orderlens";
import { replay } from "orderlens/recordings";
import { inspectOrder } from "orderlens/reports";
import { assert, assertEquals } from "@std/assert";
import { changedBook } from "../../datasets/altered_book.ts";

const UID =
  "0x14c1cf9c822fac6b338e0b7ce82dc81cd6fede5b9ff0fca16d432af2ff9c462028436801e7093ba424a28a66512aa31760c192b66b01b61e";

Deno.test("inspectOrder() names facts of responses that contradict each other", async () => {
  const recording = await replay("market_1");
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
