import { InputError } from "./input_error.ts";
import { nearestText } from "./nearest_text.ts";

/**
 * Refuses options that there are not: a misspelt one would otherwise change nothing, silently.
 *
 * @param options What the caller passed.
 * @param known Names of the options that there are.
 * @param action What could not be done then, as `Cannot open a sandbox`.
 * @param need Whether one of them cannot be left out.
 * @throws {InputError} If it is no object, or naming the first option that is not known, those that
 *   are, and the nearest of them.
 */
export function requireKnown(
  options: object,
  known: readonly string[],
  action: string,
  { isNeeded = false }: { readonly isNeeded?: boolean } = {},
): void {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new InputError(`${action} with ${quoted(options)} as options`, {
      remedy: `Pass an object with ${known.join(", ")}${isNeeded ? "" : ", or leave it out"}`,
    });
  }
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const nearest = nearestText(unknown, known);
  throw new InputError(`${action} with ${JSON.stringify(unknown)}: there is no such option`, {
    remedy: nearest === undefined
      ? `Pass ${known.join(", ")}`
      : `Pass ${nearest}${othersOf(known, nearest)}`,
  });
}

/** The words beside the one to pass; nothing where it is the only one. */
export function othersOf(words: readonly string[], nearest: string): string {
  const others = words.filter((word) => word !== nearest);
  return others.length === 0 ? "" : `; the others are ${others.join(", ")}`;
}

/** What was passed, short enough for a message. */
export function quoted(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 80));
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return "an array";
  const { name = "" } = Object.getPrototypeOf(value)?.constructor ?? {};
  return name === "" || name === "Object" ? "an object" : `a ${name}`;
}
