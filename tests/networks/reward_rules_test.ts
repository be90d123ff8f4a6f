import { assert, assertEquals } from "@std/assert";
import { ACCOUNTING_WEEK, CONSISTENCY_BY_ORDER_SHARE_SINCE } from "../../lib/networks/network.ts";

Deno.test("ACCOUNTING_WEEK begins on a Tuesday at midnight", () => {
  const tuesday = Temporal.PlainDate.from("2026-08-18");
  assertEquals(ACCOUNTING_WEEK.isoWeekday, tuesday.dayOfWeek);
  assertEquals(Temporal.PlainTime.from(ACCOUNTING_WEEK.utcTime).hour, 0);
  assert(Object.isFrozen(ACCOUNTING_WEEK));
});

Deno.test("CONSISTENCY_BY_ORDER_SHARE_SINCE is the first day of an accounting week", () => {
  const day = Temporal.PlainDate.from(CONSISTENCY_BY_ORDER_SHARE_SINCE);
  assertEquals(day.dayOfWeek, ACCOUNTING_WEEK.isoWeekday);
});
