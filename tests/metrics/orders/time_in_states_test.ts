import { timeInStates } from "orderlens/metrics";
import type { OrderEvent } from "orderlens/schemas";
import { assertEquals } from "@std/assert";

const SECOND = 1_000_000_000n;

function at(second: number): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(second * 1_000);
}

function event(label: string, second: number, reason?: string): OrderEvent {
  return { label, timestamp: at(second), ...(reason === undefined ? {} : { reason }) };
}

Deno.test("timeInStates() sums the time in a state per reason", () => {
  const times = timeInStates([
    event("created", 0),
    event("invalid", 1, "insufficient_balance"),
    event("ready", 3),
    event("invalid", 10, "insufficient_balance"),
    event("invalid", 15, "invalid_signature"),
  ], at(20));
  assertEquals(times, [
    { label: "created", reason: null, stays: 1, nanoseconds: 1n * SECOND },
    { label: "invalid", reason: "insufficient_balance", stays: 2, nanoseconds: 7n * SECOND },
    { label: "ready", reason: null, stays: 1, nanoseconds: 7n * SECOND },
    { label: "invalid", reason: "invalid_signature", stays: 1, nanoseconds: 5n * SECOND },
  ]);
});

Deno.test("timeInStates() ends at the given time, even between events", () => {
  const events = [event("created", 0), event("ready", 4), event("traded", 9)];
  assertEquals(timeInStates(events, at(6)).map(({ label, nanoseconds }) => [label, nanoseconds]), [
    ["created", 4n * SECOND],
    ["ready", 2n * SECOND],
  ]);
  assertEquals(timeInStates(events, at(0)), []);
});

Deno.test("timeInStates() accepts events in any order", () => {
  const events = [event("ready", 4), event("created", 0)];
  assertEquals(timeInStates(events, at(5)).map(({ label }) => label), ["created", "ready"]);
});

Deno.test("timeInStates() without events is empty", () => {
  assertEquals(timeInStates([], at(5)), []);
});
