import type { DebugReport, Order, OrderEvent } from "../../schemas/mod.ts";
import { formatInstant } from "../../units/mod.ts";
import { type BlockClock, matchIndexedTimes, readStatedBlock } from "../orders/fills.ts";
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
  let previous: OrderEvent | undefined;
  for (const event of events) {
    const { timestamp } = event;
    if (previous !== undefined && isEarlier(timestamp, previous.timestamp)) {
      const earlier = [`event ${previous.label} before it`, previous.timestamp] as const;
      yield describeTimes(subject, earlier, [`event ${event.label}`, timestamp]);
    }
    previous = event;
  }
  const created = events.find(({ label }) => label === "created");
  if (created !== undefined) {
    const creation = ["order.creationDate", order.creationDate] as const;
    const event = ["event created", created.timestamp] as const;
    if (isEarlier(event[1], creation[1], 1)) yield describeTimes(subject, creation, event);
    // An order that was placed on the chain is stored some time after its creation.
    const isLate = order.onchainUser === undefined &&
      isEarlier(creation[1], event[1], MAX_CLOCK_SECONDS);
    if (isLate) yield describeTimes(subject, event, creation);
  }
  if (times === null || report.trades.length === 0) return;
  const fills = report.trades.toSorted((a, b) =>
    a.blockNumber - b.blockNumber || a.logIndex - b.logIndex
  );
  const indexed = matchIndexedTimes(fills, { events });
  for (const [index, { blockNumber }] of fills.entries()) {
    const [stated, event] = [readStatedBlock(times, blockNumber), indexed[index]];
    if (stated === null || event == null) continue;
    if (!isEarlier(event, stated, MAX_CLOCK_SECONDS)) continue;
    const earlier = [`timestamp of block ${blockNumber}`, stated] as const;
    yield describeTimes(subject, earlier, ["event traded", event]);
  }
}

/** Whether a time is earlier than one that it follows, by more than some seconds. */
function isEarlier(time: Temporal.Instant, earliest: Temporal.Instant, seconds = 0): boolean {
  return time.epochMilliseconds < earliest.epochMilliseconds - seconds * 1_000;
}

type StatedTime = readonly [source: string, time: Temporal.Instant];

function describeTimes(subject: string, earlier: StatedTime, later: StatedTime): Contradiction {
  const difference = later[1].epochMilliseconds - earlier[1].epochMilliseconds;
  return {
    kind: "event_time",
    subject,
    facts: [
      { source: earlier[0], value: formatInstant(earlier[1]) },
      { source: later[0], value: formatInstant(later[1]) },
    ],
    difference: BigInt(Math.round(difference / 1_000)),
  };
}
