import { type DatasetManifest, rebuildDataset } from "../../datasets/mod.ts";
import type { Session } from "../terminal/session.ts";
import type { Given } from "../words/given.ts";
import { usageError } from "../words/usage_error.ts";
import { datasetLines } from "./dataset_lines.ts";
import { sayHowToMerge } from "./merge_hint.ts";

/** Rebuilds a dataset, where it is or into another folder, and tells what there is. */
export async function rebuildAction(session: Session, given: Given): Promise<void> {
  const [from, into, shard] = [given.word(0), given.text("--into"), given.shard("--shard")];
  if (shard !== undefined && into === undefined) {
    throw usageError(
      `${given.cannot} with --shard and without --into`,
      "Pass --into with a folder for this shard; without both, all tables are rebuilt where they are",
    );
  }
  const manifest = await rebuildDataset(from, { shard, into, signal: session.signal });
  const folder = into ?? from;
  const { library } = manifest;
  if (session.isJson) {
    session.printJson("rebuild", { folder, library, ...shard === undefined ? {} : { shard } });
    return;
  }
  session.print(`${folder}: ${whatOf(manifest, { from, into })}`, ...datasetLines(manifest));
  if (shard !== undefined) sayHowToMerge(session, shard);
}

function whatOf(
  { library, shardOf }: DatasetManifest,
  { from, into }: { readonly from: string; readonly into: string | undefined },
): string {
  const by = `rebuilt by Orderlens ${library}`;
  if (into === undefined) return by;
  if (shardOf === undefined) return `${from}, ${by}`;
  const { index, of } = shardOf.shard;
  return `shard ${index} of ${of} of ${from}, ${by}`;
}
