import { datasetLines } from "../actions/dataset_lines.ts";
import { EXIT } from "../terminal/exit_code.ts";
import type { CommandSpec } from "../words/command_spec.ts";

/** `orderlens rebuild` */
export const REBUILD: CommandSpec = {
  name: "rebuild",
  summary: "Make all tables of a dataset again from its answers",
  description: "For datasets of an older version of Orderlens, and for lost or damaged tables. " +
    "Asks no deployment.",
  arguments: [{ name: "<folder>", text: "folder of the dataset", values: "folder" }],
  examples: [{ words: "rebuild try", text: "The tables of a dataset" }],
  permissions: ["read", "write", "ffi", "sys"],
  isResumable: true,
  async run(session, given) {
    const { rebuildDataset } = await import("../../datasets/mod.ts");
    const folder = given.word(0);
    const manifest = await rebuildDataset(folder, { signal: session.signal });
    if (session.isJson) session.printJson("rebuild", { folder, library: manifest.library });
    else {session.print(
        `${folder}: rebuilt by Orderlens ${manifest.library}`,
        ...datasetLines(manifest),
      );}
    return EXIT.done;
  },
};
