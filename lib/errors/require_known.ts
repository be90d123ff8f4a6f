import { InputError } from "./input_error.ts";

/**
 * Refuses options that there are not: a misspelt one would otherwise change nothing, silently.
 *
 * @param options What the caller passed.
 * @param known Names of the options that there are.
 * @param action What could not be done then, as `Cannot open a sandbox`.
 * @throws {InputError} Naming the first option that is not known.
 */
export function requireKnown(options: object, known: readonly string[], action: string): void {
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new InputError(`${action} with ${JSON.stringify(unknown)}: there is no such option`, {
    remedy: `Pass ${known.join(", ")}`,
  });
}
