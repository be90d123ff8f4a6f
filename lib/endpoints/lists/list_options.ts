import {
  callable,
  type OptionRule,
  type OptionRules,
  wholeFrom,
} from "../../errors/option_rules.ts";
import type { PageFailure } from "../../schemas/mod.ts";
import { CALL_OPTIONS, type CallOptions, type Progress } from "../call/call_options.ts";

/** Options of a call that returns a list. */
export interface ListOptions extends CallOptions {
  /**
   * Called for every element that cannot be decoded. Without it, the call still returns the valid
   * elements and then throws an {@linkcode IncompleteListError} with the failures.
   */
  onFailure?: ((failure: PageFailure) => void) | undefined;
}

/** Allowed values of the {@linkcode ListOptions}. */
export const LIST_OPTIONS: OptionRules<ListOptions> = { ...CALL_OPTIONS, onFailure: callable() };

/** Options of a call that returns a list page by page. */
export interface PagedListOptions extends ListOptions {
  /**
   * Maximum number of rows to read, newest first; rows that cannot be decoded count. No further
   * rows are requested.
   * @default {all rows}
   */
  limit?: number | undefined;
  /** Rows per page, from 1 to 1000. @default {1000} */
  pageSize?: number | undefined;
  /**
   * `1` requests the next page while the rows of the current one are decoded and consumed, which
   * takes memory for one more page. The requests are the same, only earlier: after a full page, and
   * within `limit`. Leaving the loop aborts the one that is under way.
   * @default {0}
   */
  pagesAhead?: 0 | 1 | undefined;
  /** Called after each page with the number of rows read; the total is unknown until the end. */
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** Maximum number of rows that the service puts on a page. */
export const MOST_ROWS = 1_000;

/** Allowed values of the {@linkcode PagedListOptions}. */
export const PAGED_LIST_OPTIONS: OptionRules<PagedListOptions> = {
  ...LIST_OPTIONS,
  limit: wholeFrom(0),
  pageSize: wholeFrom(1, MOST_ROWS),
  pagesAhead: wholeFrom(0, 1) as OptionRule<0 | 1>,
  onProgress: callable(),
};
