import type { ExportPlan } from "../../datasets/mod.ts";
import { aligned, counted, duration, grouped, idRange, size } from "../terminal/in_words.ts";

/** A plan of an export for people. */
export function planLines(plan: ExportPlan): string[] {
  const { range, requests, total, nodeRequests, rate, minutes, bytes, workBytes, tables, missing } =
    plan;
  const ids = range === null ? 0 : range.to - range.from + 1;
  return [
    ...range === null ? [] : [`Auctions ${idRange(range.from, range.to)}, ${counted(ids, "id")}`],
    "Requests by route",
    ...aligned([
      ...requests.map(({ route, count, isEstimate }) =>
        [`${isEstimate ? "about " : ""}${grouped(count)}`, route] as const
      ),
    ]),
    `${counted(total, "request")} at ${grouped(rate)} a minute: ${duration(minutes * 60)}`,
    ...minutes < 30 ? [] : [
      `A deployment that is down is waited for, up to ${duration(minutes * 6)} in all`,
    ],
    ...nodeRequests === 0 ? [] : [`About ${counted(nodeRequests, "request")} to the node`],
    ...bytes === 0 ? [] : [`Disk: about ${size(bytes)}, and ${size(workBytes)} more while it runs`],
    `Tables: ${tables.join(", ")}`,
    ...missing.length === 0 ? [] : ["Will be missing", ...missing.map((each) => `  ${each}`)],
  ];
}
