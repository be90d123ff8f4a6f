import { rebuildDataset } from "../../datasets/mod.ts";
import type { Session } from "../terminal/session.ts";
import { aboutOf } from "../words/about_options.ts";
import type { Given } from "../words/given.ts";
import { datasetLines } from "./dataset_lines.ts";

/** Rebuilds a dataset, where it is or into another folder, and tells what there is. */
export async function rebuildAction(session: Session, given: Given): Promise<void> {
  const [from, into] = [given.word(0), given.text("--into")];
  const manifest = await rebuildDataset(from, {
    ...aboutOf(given),
    into,
    signal: session.signal,
  });
  const folder = into ?? from;
  const { library } = manifest;
  if (session.isJson) return session.printJson("rebuild", { folder, library });
  const by = `rebuilt by Orderlens ${library}`;
  const what = into === undefined ? by : `${from}, ${by}`;
  session.print(`${folder}: ${what}`, ...datasetLines(manifest));
}
