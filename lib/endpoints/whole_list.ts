import type { Page, PageFailure } from "../schemas/mod.ts";
import { Failures } from "./failures.ts";
import type { ListOptions } from "./list_options.ts";

/**
 * The good elements of a list that came in one piece.
 *
 * @throws {IncompleteListError} If there are bad ones and no `onFailure` to tell them to; the good
 *   ones are in its `items`.
 */
export function wholeList<T>(
  { items, failed }: Page<T>,
  what: string,
  { onFailure }: ListOptions,
): T[] {
  const failures = new Failures<PageFailure>(what, onFailure);
  for (const failure of failed) failures.add(failure);
  failures.throwIfAny(items);
  return [...items];
}
