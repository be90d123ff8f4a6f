import { callable, type OptionRules } from "../../errors/option_rules.ts";
import { flag } from "../columns/columns.ts";
import type { Column } from "../columns/frame.ts";

/** What is known about filtering. */
export interface FilterOptions {
  /**
   * Whether the service stored which solutions of an auction it filtered out. Public deployments did
   * not before 2025-06-20: their older answers say `false`, which means nothing. @default {always}
   */
  isFilterStored?: (auctionId: number) => boolean;
}

/** Allowed values of the {@linkcode FilterOptions}. */
export const FILTER_OPTIONS: OptionRules<FilterOptions> = { isFilterStored: callable() };

/** A row with what its solution says about filtering. */
export interface FilteredRow {
  /** Whether the solution was filtered out; `null` where that was not stored. */
  readonly filteredOut: boolean | null;
}

/** What a solution says about filtering. */
export function filteredOutOf(
  { competition: { auctionId }, solution: { filteredOut } }: {
    readonly competition: { readonly auctionId: number };
    readonly solution: { readonly filteredOut: boolean };
  },
  { isFilterStored }: FilterOptions,
): boolean | null {
  return isFilterStored === undefined || isFilterStored(auctionId) ? filteredOut : null;
}

/** Whether the solution was filtered out. */
export const FILTERED_OUT: Column<FilteredRow> = flag("filtered_out", {
  source: "solution.filteredOut; null where the service did not store it yet",
  cell: ({ filteredOut }) => filteredOut,
});
