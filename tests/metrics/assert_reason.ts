import { isNotComputable, type NotComputable } from "orderlens/metrics";
import { assert, assertEquals, AssertionError } from "@std/assert";

/** Asserts that a metric gave a reason, and which. */
export function assertReason(answer: unknown, reason: string): void {
  assert(isNotComputable(answer));
  assertEquals(Reflect.get(Object(answer), "reason"), reason);
}

/** The answer of a metric that has one; fails with the reason of a metric that has none. */
export function computed<Answer>(answer: Answer | NotComputable<string>): Answer {
  if (isNotComputable(answer)) throw new AssertionError({ message: answer.detail });
  return answer as Answer;
}
