import { InputError } from "./input_error.ts";
import { quoted } from "./require_known.ts";

/** What was to be a list, for messages. */
export interface ListUse {
  /** What could not be done then, as `Cannot build ordersTable`. */
  readonly action: string;
  /** What to pass instead, as `an array of orders`. */
  readonly expected: string;
}

/**
 * Refuses what cannot be gone through at once: most often an `await` was forgotten.
 *
 * @throws {InputError} Naming what it is instead, and how a list is made of that.
 */
export function requireList(value: unknown, { action, expected }: ListUse): void {
  if (Array.isArray(value)) return;
  const { what, way } = insteadOfList(value);
  if (what === null) return;
  throw new InputError(`${action} from ${what}`, {
    remedy: `Pass ${expected}${way === null ? "" : `: ${way}`}`,
  });
}

/** What a value is that is no list, and how a list is made of it; `null` where there is no such. */
function insteadOfList(value: unknown): { what: string | null; way: string | null } {
  if (typeof value !== "object" || value === null) return { what: quoted(value), way: null };
  const has = (member: PropertyKey) => typeof Reflect.get(value, member) === "function";
  if (has("then")) return { what: "a promise", way: "`await` it first" };
  if (has(Symbol.asyncIterator)) {
    return { what: "an async iterable", way: "gather it first with `await Array.fromAsync(…)`" };
  }
  if (value instanceof Map) return { what: "a Map", way: "`[...map.values()]` are its values" };
  if (has("collect")) return { what: "a lazy frame", way: "`await frame.collect()` first" };
  if (has("getColumn") || has("toRecords")) return { what: "a frame", way: null };
  return { what: has(Symbol.iterator) ? null : quoted(value), way: null };
}
