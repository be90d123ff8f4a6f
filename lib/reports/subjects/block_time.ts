import { blockTimes } from "../../evm/mod.ts";
import { explainFailure, type ReportedUnknown, type ReportNode } from "../order/order_report.ts";

/** The time of a block, and why a node that was asked does not tell it. */
export interface BlockTime {
  /** Its timestamp; `null` without a block or a node, and where the node does not tell. */
  readonly at: Temporal.Instant | null;
  /** Facts that the node did not return. */
  readonly unknown: readonly ReportedUnknown[];
}

/**
 * Reads the time of the block of a report: a node that fails is named there, and the rest of the report
 * stays as it is.
 */
export async function readBlockTime(
  node: ReportNode | undefined,
  block: number | null,
  signal: AbortSignal | undefined,
): Promise<BlockTime> {
  if (node === undefined || block === null) return { at: null, unknown: [] };
  try {
    const times = await blockTimes(node, [block], { signal });
    return { at: times.get(block) ?? null, unknown: [] };
  } catch (error) {
    return { at: null, unknown: [{ what: "time", ...explainFailure(error) }] };
  }
}
