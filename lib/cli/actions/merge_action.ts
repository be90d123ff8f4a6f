import { mergeDatasets } from "../../datasets/mod.ts";
import { ProgressLine } from "../terminal/progress_line.ts";
import type { Session } from "../terminal/session.ts";
import { datasetFacts, datasetLines, gapLines } from "./dataset_lines.ts";

/** Merges datasets, and tells what there is; whether the result is complete. */
export async function mergeAction(
  session: Session,
  { folders, into }: { readonly folders: readonly string[]; readonly into: string },
): Promise<boolean> {
  using line = new ProgressLine(session);
  const manifest = await mergeDatasets(folders, into, {
    signal: session.signal,
    onProgress: ({ phase, done, total }) =>
      line.updateWork(phase === "tables" ? "Tables, files" : "Answers, files", done, total),
  });
  if (session.isJson) session.printJson("merge", { folder: into, ...datasetFacts(manifest) });
  else session.print(into, ...datasetLines(manifest), ...gapLines(manifest));
  return manifest.isComplete;
}
