import { assertEquals } from "@std/assert";
import { decodeEventLog } from "viem";
import { decodeSettlementEvents, type EventLog } from "orderlens/evm";
import { plainEvent } from "../../../lib/evm/settlement/decode_settlement_events.ts";
import { SETTLEMENT_ABI } from "../../../lib/evm/settlement/settlement_abi.ts";
import { unpack } from "../../metrics/recorded_run.ts";

const { logs }: { logs: EventLog[] } = JSON.parse(await unpack("market_1.chain.json.gz"));

function byViem({ topics, data }: EventLog): { eventName: string; args: Record<string, unknown> } {
  const { eventName, args = {} } = decodeEventLog({
    abi: SETTLEMENT_ABI,
    topics: topics as [`0x${string}`],
    data: data as `0x${string}`,
  });
  return { eventName, args };
}

function lower(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === "string" ? value.toLowerCase() : value,
    ]),
  );
}

Deno.test("plainEvent() reads every recorded event of a settlement as viem does", () => {
  const counts = new Map<string, number>();
  for (const log of logs) {
    const { eventName, args } = byViem(log);
    const found = plainEvent(eventName, log);
    if (found === null) continue;
    const { event, ...parameters } = found;
    assertEquals(event, eventName);
    assertEquals(parameters, lower(args) as typeof parameters);
    counts.set(event, (counts.get(event) ?? 0) + 1);
  }
  assertEquals([...counts.keys()].sort(), ["Interaction", "Settlement", "Trade"]);
});

Deno.test("plainEvent() leaves every other layout to the decoder, which gives the same or an error", () => {
  const trade = logs.find((log) => byViem(log).eventName === "Trade")!;
  const words = trade.data.slice(2).match(/.{64}/g)!;
  const ALTERED: [string, Partial<EventLog>][] = [
    ["dirty bytes of an address", { data: `0x1${trade.data.slice(3)}` }],
    ["more data", { data: `${trade.data}00` }],
    ["less data", { data: trade.data.slice(0, -2) }],
    ["no data", { data: "0x" }],
    ["another offset", { data: `0x${words.with(5, "e0".padStart(64, "0")).join("")}` }],
    ["a longer UID", { data: `0x${words.with(6, "39".padStart(64, "0")).join("")}` }],
    ["no hex", { data: `${trade.data.slice(0, -1)}g` }],
    ["one topic", { topics: trade.topics.slice(0, 1) }],
    ["three topics", { topics: [...trade.topics, trade.topics[1]!] }],
    ["a dirty topic", { topics: [trade.topics[0]!, `0x1${trade.topics[1]!.slice(3)}`] }],
  ];
  for (const [what, altered] of ALTERED) {
    assertEquals(plainEvent("Trade", { ...trade, ...altered }), null, what);
  }
  assertEquals(plainEvent("PreSignature", trade), null);
  const upper = { ...trade, data: `0x${trade.data.slice(2).toUpperCase()}` };
  assertEquals(decodeSettlementEvents([upper]), decodeSettlementEvents([trade]));
});
