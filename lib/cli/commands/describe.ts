import { datasetFacts, datasetLines, gapLines } from "../actions/dataset_lines.ts";
import { EXIT } from "../terminal/exit_code.ts";
import type { CommandSpec } from "../words/command_spec.ts";

/** `orderlens describe` */
export const DESCRIBE: CommandSpec = {
  name: "describe",
  summary: "Tell what is in a dataset",
  description: "Its source, its auctions by state, its tables and gaps, as of its manifest.",
  arguments: [{ name: "<folder>", text: "folder of the dataset", values: "folder" }],
  examples: [
    { words: "describe try", text: "A dataset for people" },
    { words: "describe try --json", text: "The same for programs" },
  ],
  permissions: ["read", "ffi", "sys"],
  async run(session, given) {
    const { openDataset } = await import("../../datasets/mod.ts");
    const { folder, manifest } = await openDataset(given.word(0));
    if (session.isJson) session.printJson("description", { folder, ...datasetFacts(manifest) });
    else session.print(folder, ...datasetLines(manifest), ...gapLines(manifest));
    return EXIT.done;
  },
};
