import { assertEquals } from "@std/assert";
import { screenOrders, verifyContractSignatures } from "../../../../lib/sandbox/market/engine.ts";
import { Market } from "../../../../lib/sandbox/market/market.ts";
import { bookOrder, OWNER } from "../book_orders.ts";

Deno.test("verifyContractSignatures() excludes an order while its contract rejects the signature", async () => {
  const market = new Market(1);
  market.fund(OWNER);
  const uid = `0x${"d1".repeat(32)}${OWNER.slice(2)}ffffffff`;
  const order = bookOrder({ signingScheme: "eip1271", signature: "0x5160" }, { uid });
  market.book.add(order);
  const asked: string[][] = [];
  const answers = [true, false, true];
  market.verifiers.set(OWNER, (...claim) => {
    asked.push(claim);
    return answers.shift()!;
  });
  const ready = [];
  for (let auction = 0; auction < 3; auction++) {
    await verifyContractSignatures(market);
    ready.push(screenOrders(market).length);
  }
  assertEquals(ready, [1, 0, 1]);
  assertEquals(asked[0], [`0x${"d1".repeat(32)}`, "0x5160"]);
  assertEquals(order.events.map(({ label, reason }) => [label, reason]), [
    ["ready", undefined],
    ["invalid", "invalid_signature"],
    ["ready", undefined],
  ]);
});
