import type { Page, PageFailure } from "../../schemas/mod.ts";
import { Failures } from "../call/failures.ts";
import type { ListOptions } from "./list_options.ts";

/**
 * The valid elements of an unpaged list.
 *
 * @throws {IncompleteListError} If some elements are invalid and `onFailure` is not set; `items`
 *   holds the valid ones.
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
