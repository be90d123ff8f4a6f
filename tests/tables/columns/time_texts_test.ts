import { assert, assertEquals } from "@std/assert";
import { decodeDebugReport, decodeOrder } from "orderlens/schemas";
import { buildTable, ORDER_EVENTS, ORDERS, SETTLEMENT_ATTEMPTS } from "orderlens/tables";
import { recordedObjects } from "../../schemas/recorded_bodies.ts";
import { cells } from "../made_up.ts";

const bodies = await Array.fromAsync(recordedObjects());

/** The recorded bodies of a kind. */
function ofKind(wanted: string): Record<string, unknown>[] {
  return bodies.flatMap(({ kind, body }) => kind === wanted ? [Object(body)] : []);
}

/** Sorted texts of times, of which some end in a zero that is no digit of theirs. */
function sortedTexts(texts: readonly unknown[]): unknown[] {
  assert(texts.some((text) => /\.\d*0Z$/.test(String(text))));
  return texts.toSorted();
}

Deno.test("ORDERS has the times of orders as the service wrote them", () => {
  // Several responses have the same order.
  const texts = new Set(ofKind("order").map((body) => JSON.stringify(body)));
  const orders = [...texts].map((text): Record<string, unknown> => JSON.parse(text));
  assertEquals(
    sortedTexts(
      cells(
        buildTable(ORDERS, { orders: orders.map((body) => decodeOrder(body)) }),
        "creation_date",
      )
        .flat(),
    ),
    sortedTexts(orders.map(({ creationDate }) => creationDate)),
  );
});

Deno.test("ORDER_EVENTS and SETTLEMENT_ATTEMPTS have times as the service wrote them", () => {
  const reports = ofKind("debug_report");
  const decoded = reports.map((body) => decodeDebugReport(body));
  const events = reports.flatMap(({ events }) => events as { timestamp: string }[]);
  assertEquals(
    sortedTexts(cells(buildTable(ORDER_EVENTS, { debugReports: decoded }), "timestamp").flat()),
    sortedTexts(events.map(({ timestamp }) => timestamp)),
  );
  const attempts = reports.flatMap(({ auctions }) =>
    (auctions as {
      settlementAttempts: { startTimestamp: string; endTimestamp: string | null }[];
    }[])
      .flatMap(({ settlementAttempts }) => settlementAttempts)
  );
  const started = cells(
    buildTable(SETTLEMENT_ATTEMPTS, { debugReports: decoded }),
    "start_timestamp",
    "end_timestamp",
  );
  for (const [index, name] of ["startTimestamp", "endTimestamp"].entries()) {
    assertEquals(
      new Set(started.map((row) => row[index])),
      new Set(attempts.map((attempt) => attempt[name as "startTimestamp"] ?? null)),
    );
  }
});
