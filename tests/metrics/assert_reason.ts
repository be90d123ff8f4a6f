import { isNotComputable, type NotComputable } from "orderlens/metrics";
import { assertEquals, AssertionError } from "@std/assert";

/** Asserts that a metric gave a reason, and which. */
export function assertReason(answer: unknown, reason: string): void {
  assertEquals(reasonOf(answer), reason);
}

/** The answer of a metric that has one; fails with the reason of a metric that has none. */
export function computed<Answer>(answer: Answer): Exclude<Answer, NotComputable<string>> {
  if (isNotComputable(answer)) throw new AssertionError({ message: answer.detail });
  return answer as Exclude<Answer, NotComputable<string>>;
}

/** The reason that a metric gave; `undefined` where it gave an answer. */
export function reasonOf(answer: unknown): string | undefined {
  return isNotComputable(answer) ? Reflect.get(Object(answer), "reason") : undefined;
}
