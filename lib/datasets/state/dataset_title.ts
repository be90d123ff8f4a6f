import { printRanges } from "../layout/id_ranges.ts";
import type { DatasetManifest } from "../layout/manifest.ts";

/** The title of a dataset: what it is of, from where, and which range. */
export function datasetTitle(
  { about, source, range, merged, request, walk }: DatasetManifest,
): string {
  if (about?.title !== undefined) return about.title;
  const network = source.network ?? `chain ${source.chainId}`;
  const environments = [...new Set(merged?.map(({ source }) => source.environment) ?? [])];
  const environment = environments.length > 1
    ? environments.map((name) => name ?? "no name").join(" and ")
    : source.environment;
  const name = environment === null ? network : `${network}, ${environment}`;
  if (walk !== undefined) {
    return `Settled batch auctions of ${name}: blocks ${printRanges(walk.blocks)}`;
  }
  if (range !== null) return `Batch auctions of ${name}: ${range.from} to ${range.to}`;
  if (environments.length > 1) return `Batch auctions of ${name}`;
  const orders = request.owner === null ? "selected orders" : `orders of ${request.owner}`;
  return `Batch auctions of ${name}: ${orders}`;
}
