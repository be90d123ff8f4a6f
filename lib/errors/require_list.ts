import { InputError } from "./input_error.ts";
import { quoted } from "./require_known.ts";

/** Where a list is used, for messages. */
export interface ListUse {
  /** Start of the message, such as `Cannot build ordersTable`. */
  readonly action: string;
  /** What to pass instead, such as `an array of orders`. */
  readonly expected: string;
}

/**
 * Rejects values that cannot be iterated synchronously; the usual cause is a missing `await`.
 *
 * @throws {InputError} Names what the value is and how to turn it into a list.
 */
export function requireList(value: unknown, { action, expected }: ListUse): void {
  if (Array.isArray(value)) return;
  const { what, way } = insteadOfList(value);
  if (what === null) return;
  throw new InputError(`${action} from ${what}`, {
    remedy: `Pass ${expected}${way === null ? "" : `: ${way}`}`,
  });
}

/**
 * What a value that is not a list is, and how to turn it into one; `null` where that is not
 * possible.
 */
function insteadOfList(value: unknown): { what: string | null; way: string | null } {
  if (typeof value !== "object" || value === null) return { what: quoted(value), way: null };
  const has = (member: PropertyKey) => typeof Reflect.get(value, member) === "function";
  if (has("then")) return { what: "a promise", way: "`await` it first" };
  if (has(Symbol.asyncIterator)) {
    return { what: "an async iterable", way: "collect it first with `await Array.fromAsync(…)`" };
  }
  if (value instanceof Map) return { what: "a Map", way: "`[...map.values()]` gives its values" };
  if (has("collect")) return { what: "a lazy frame", way: "`await frame.collect()` first" };
  if (has("getColumn") || has("toRecords")) return { what: "a frame", way: null };
  return { what: has(Symbol.iterator) ? null : quoted(value), way: null };
}
