import { isNotComputable } from "orderlens/metrics";
import { assert, assertEquals } from "@std/assert";

/** Asserts that a metric gave a reason, and which. */
export function assertReason(answer: unknown, reason: string): void {
  assert(isNotComputable(answer));
  assertEquals(Reflect.get(Object(answer), "reason"), reason);
}
