import { callable, type OptionRules, wholeFrom } from "../errors/option_rules.ts";
import type { PageFailure } from "../schemas/mod.ts";
import { CALL_OPTIONS, type CallOptions, type Progress } from "./call_options.ts";

/** What a call takes that gives a list. */
export interface ListOptions extends CallOptions {
  /**
   * Called for every element that cannot be decoded. Without it the call gives the good elements all
   * the same and then throws an {@linkcode IncompleteListError} that names the bad ones.
   */
  onFailure?: ((failure: PageFailure) => void) | undefined;
}

/** What each of the {@linkcode ListOptions} may be. */
export const LIST_OPTIONS: OptionRules<ListOptions> = { ...CALL_OPTIONS, onFailure: callable() };

/** What a call takes that gives a list page by page. */
export interface PagedListOptions extends ListOptions {
  /**
   * Most rows to read, the newest; rows that cannot be decoded count. No row more is asked for.
   * @default {all rows}
   */
  limit?: number | undefined;
  /** Rows to ask for at a time, 1 to 1000. @default {1000} */
  pageSize?: number | undefined;
  /** Told after each page how many rows were read; how many there are nobody knows before the end. */
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** What each of the {@linkcode PagedListOptions} may be; how large a page may be is checked there. */
export const PAGED_LIST_OPTIONS: OptionRules<PagedListOptions> = {
  ...LIST_OPTIONS,
  limit: wholeFrom(0),
  pageSize: wholeFrom(1),
  onProgress: callable(),
};
