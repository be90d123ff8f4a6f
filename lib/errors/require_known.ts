import { InputError } from "./input_error.ts";
import { nearestText } from "./nearest_text.ts";

const WITHOUT_OPTIONS = "Leave it out: there are no options";

/**
 * Rejects unknown options: a misspelt one would otherwise be ignored silently.
 *
 * @param options The caller's options.
 * @param known Names of the known options.
 * @param action Start of the message, such as `Cannot open a sandbox`.
 * @param need Whether one of them is required.
 * @throws {InputError} If `options` is not an object or has an unknown option; names that option,
 *   the known ones and the nearest of them.
 */
export function requireKnown(
  options: object,
  known: readonly string[],
  action: string,
  { isNeeded = false }: { readonly isNeeded?: boolean } = {},
): void {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new InputError(`${action} with ${quoted(options)} as options`, {
      remedy: known.length === 0
        ? WITHOUT_OPTIONS
        : `Pass an object with ${known.join(", ")}${isNeeded ? "" : ", or leave it out"}`,
    });
  }
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const nearest = nearestText(unknown, known);
  throw new InputError(`${action} with ${JSON.stringify(unknown)}: unknown option`, {
    remedy: known.length === 0
      ? WITHOUT_OPTIONS
      : nearest === undefined
      ? `Pass ${known.join(", ")}`
      : `Pass ${nearest}${othersOf(known, nearest, "options")}`,
  });
}

/** The words beside the one to pass; nothing where it is the only one. */
export function othersOf(
  words: readonly string[],
  nearest: string,
  noun: "options" | "values" | "names",
): string {
  const others = words.filter((word) => word !== nearest);
  return others.length === 0 ? "" : `; other ${noun} are ${others.join(", ")}`;
}

/** The value that was passed, short enough for a message. */
export function quoted(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 80));
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return "an array";
  const { name = "" } = Object.getPrototypeOf(value)?.constructor ?? {};
  return name === "" || name === "Object" ? "an object" : `a ${name}`;
}
