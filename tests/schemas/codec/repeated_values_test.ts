import { assert, assertEquals, assertThrows } from "@std/assert";
import { DecodeError } from "orderlens";
import { decodeOrder, decodeTrade, encodeOrder, encodeTrade } from "orderlens/schemas";
import { recordedObject } from "../recorded_bodies.ts";
import { ParseCache } from "../../../lib/schemas/codec/scalars.ts";

const ADDRESS = `0x${"ab".repeat(20)}`;
const TRADE = {
  blockNumber: 1,
  logIndex: 2,
  orderUid: `0x${"cd".repeat(56)}`,
  owner: ADDRESS,
  sellToken: ADDRESS,
  buyToken: ADDRESS,
  sellAmount: "2000000000000000000",
  sellAmountBeforeFees: "2000000000000000000",
  buyAmount: "5000000000",
  txHash: `0x${"ef".repeat(32)}`,
};

/** A text with another character at an index. */
function changed(text: string, index: number, character: string): string {
  return text.slice(0, index) + character + text.slice(index + 1);
}

Deno.test("decode() checks every digit of hex text that resembles a cached valid one", () => {
  decodeTrade(TRADE);
  for (const field of ["owner", "orderUid", "txHash"] as const) {
    for (let index = 0; index < TRADE[field].length; index++) {
      const body = { ...TRADE, [field]: changed(TRADE[field], index, "g") };
      assertThrows(() => decodeTrade(body), DecodeError, field);
      const other = { ...TRADE, [field]: changed(TRADE[field], index, "1") };
      if (index > 1) assertEquals(decodeTrade(other)[field], other[field]);
    }
  }
});

Deno.test("decode() reads an amount independently of the amount read before", () => {
  const texts = ["1", "10", "1", "0", "20", "20", "2", "340282366920938463463374607431768211456"];
  for (const sellAmount of texts) {
    for (const sellAmountBeforeFees of texts) {
      const body = { ...TRADE, sellAmount, sellAmountBeforeFees };
      const trade = decodeTrade(body);
      assertEquals(trade.sellAmount, BigInt(sellAmount));
      assertEquals(trade.sellAmountBeforeFees, BigInt(sellAmountBeforeFees));
    }
  }
  for (const sellAmount of ["2x", "02", "", "2 ", "-2", "2.0", "0x2"]) {
    assertThrows(() => decodeTrade({ ...TRADE, sellAmount }), DecodeError, "sellAmount");
  }
});

Deno.test("decode() distinguishes instants whose texts end alike", async () => {
  const body = await recordedObject("order");
  for (let minute = 10; minute < 30; minute++) {
    for (const end of ["23.252884Z", "23.252884414Z", "23.2528840Z", "23Z"]) {
      const creationDate = `2026-11-21T15:${minute}:${end}`;
      const order = decodeOrder({ ...body, creationDate });
      assertEquals(
        order.creationDate.epochNanoseconds,
        Temporal.Instant.from(creationDate).epochNanoseconds,
      );
      assertEquals(encodeOrder(order), { ...body, creationDate });
    }
  }
});

Deno.test("decode() returns plain objects, shares unchanged parts, and does not modify the body", () => {
  const body = {
    ...TRADE,
    executedProtocolFees: [{ policy: { volume: { factor: 0.1 } }, amount: "1", token: ADDRESS }],
    tomorrow: { a: 1 },
  };
  const before = structuredClone(body);
  const trade = decodeTrade(body);
  assertEquals(body, before);
  assert(Object.getPrototypeOf(trade) === Object.prototype);
  assert(trade.executedProtocolFees?.[0]?.policy === body.executedProtocolFees[0]!.policy);
  assertEquals(trade.executedProtocolFees?.[0]?.amount, 1n);
  assertEquals(Object.keys(trade).toSorted(), Object.keys(body).toSorted());
  assertEquals(encodeTrade({ ...trade }), body);
  assertEquals(structuredClone(trade), trade);
});

Deno.test("ParseCache distinguishes texts that share a slot, in any order", () => {
  const known = new ParseCache<bigint>(4);
  const read: string[] = [];
  const of = (text: string) =>
    known.getOrParse(text, (one) => {
      read.push(one);
      return one.startsWith("x") ? undefined : BigInt(one);
    });
  // The first eight characters and the length decide the place.
  for (const text of ["1234567890", "1234567891", "1234567890", "12"]) {
    assertEquals(of(text), BigInt(text));
    assertEquals(of(text), BigInt(text));
  }
  assertEquals(of("x"), undefined);
  assertEquals(read, ["1234567890", "1234567891", "1234567890", "12", "x"]);
});
