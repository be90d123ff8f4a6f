import { assertEquals, assertGreater } from "@std/assert";
import { type DecodedEvent, decodeSettlementEvents, type EventLog } from "orderlens/evm";
import {
  type EncodedEvent,
  encodeEvent,
  selectorOf,
} from "../../../lib/evm/settlement/encode_settlement_events.ts";
import { readJson } from "../../../tools/metrics/read_json.ts";

const { logs } = await readJson(
  new URL("../../../data/recorded/market_1.chain.json", import.meta.url).pathname,
) as { logs: EventLog[] };

const word = (digits: string): string => `0x${digits.padStart(64, "0")}`;

function encodedAgain(event: DecodedEvent): EncodedEvent | null {
  switch (event.event) {
    case "Trade":
    case "Interaction":
    case "Settlement":
    case "PreSignature":
      return encodeEvent(event.event, { ...event });
    default:
      return null;
  }
}

Deno.test("events are encoded as the settlement contract emitted them in a recorded market", () => {
  const events = decodeSettlementEvents(logs);
  assertEquals(new Set(events.map(({ event }) => event)).size, 4);
  assertGreater(events.length, 2_000);
  for (const [at, { topics, data }] of logs.entries()) {
    assertEquals(encodedAgain(events[at]!), { topics, data });
  }
});

Deno.test("an interaction without a selector is encoded with selector 0", () => {
  const call = { target: `0x${"12".repeat(20)}`, value: 5n, selector: selectorOf("0x0102") };
  assertEquals(encodeEvent("Interaction", call).data, `${word("5")}${"0".repeat(64)}`);
});

Deno.test("moves of tokens are encoded as ERC-20 and the wrapped native token emit them", () => {
  const [from, to] = ["ab", "cd"].map((byte) => `0x${byte.repeat(20)}`) as [string, string];
  assertEquals(encodeEvent("Transfer", { from, to, value: 255n }), {
    topics: [
      "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
      word("ab".repeat(20)),
      word("cd".repeat(20)),
    ],
    data: word("ff"),
  });
  assertEquals(encodeEvent("Withdrawal", { src: from, wad: 16n }), {
    topics: [
      "0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65",
      word("ab".repeat(20)),
    ],
    data: word("10"),
  });
});
