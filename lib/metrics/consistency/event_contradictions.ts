import type { DebugReport, Order } from "../../schemas/mod.ts";
import { type BlockClock, indexedTimes } from "../orders/fills.ts";
import type { Contradiction } from "./contradiction.ts";

/**
 * Seconds by which clocks of service and chain may differ: a recorded local chain was 14 seconds ahead
 * of the service that indexed it.
 */
const MAX_CLOCK_SECONDS = 60;

/**
 * Compares the events of a debug report with one another, with the creation of the order, and with the
 * timestamps of the blocks that filled it. An event `traded` is stored after its block; an order that
 * was placed on the chain is stored some time after its creation.
 *
 * @param order The order.
 * @param report Its debug report, whose events are oldest first.
 * @param times Times of blocks; only timestamps of blocks are compared. `null` where none are known.
 */
export function* compareEventTimes(
  order: Order,
  { events, ...report }: DebugReport,
  times: BlockClock | null,
): Generator<Contradiction> {
  const subject = `order ${order.uid}`;
  for (const [index, { label, timestamp }] of events.entries()) {
    const before = events[index - 1];
    if (before === undefined) continue;
    yield* compareTimes(subject, {
      earlier: [`event ${before.label} before it`, before.timestamp],
      later: [`event ${label}`, timestamp],
    });
  }
  const created = events.find(({ label }) => label === "created");
  if (created !== undefined) {
    const creation = ["order.creationDate", order.creationDate] as const;
    const event = ["event created", created.timestamp] as const;
    yield* compareTimes(subject, { earlier: creation, later: event, toleranceSeconds: 1 });
    if (order.onchainUser === undefined) {
      const toleranceSeconds = MAX_CLOCK_SECONDS;
      yield* compareTimes(subject, { earlier: event, later: creation, toleranceSeconds });
    }
  }
  const fills = report.trades.toSorted((a, b) =>
    a.blockNumber - b.blockNumber || a.logIndex - b.logIndex
  );
  const indexed = indexedTimes(fills, { events, ...report });
  for (const [index, { blockNumber }] of fills.entries()) {
    const [block, event] = [times?.block(blockNumber), indexed[index]];
    if (block?.basis !== "block" || event == null) continue;
    yield* compareTimes(subject, {
      earlier: [`timestamp of block ${blockNumber}`, block.at],
      later: ["event traded", event],
      toleranceSeconds: MAX_CLOCK_SECONDS,
    });
  }
}

type StatedTime = readonly [source: string, time: Temporal.Instant];

/** A contradiction if a time is earlier than one that it follows. */
function* compareTimes(
  subject: string,
  { earlier, later, toleranceSeconds = 0 }: {
    readonly earlier: StatedTime;
    readonly later: StatedTime;
    readonly toleranceSeconds?: number;
  },
): Generator<Contradiction> {
  const difference = later[1].epochMilliseconds - earlier[1].epochMilliseconds;
  if (difference >= -toleranceSeconds * 1_000) return;
  yield {
    kind: "event_time",
    subject,
    facts: [
      { source: earlier[0], value: `${earlier[1]}` },
      { source: later[0], value: `${later[1]}` },
    ],
    difference: BigInt(Math.round(difference / 1_000)),
  };
}
