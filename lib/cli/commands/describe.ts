import { EXIT } from "../terminal/exit_code.ts";
import type { CommandSpec } from "../words/command_spec.ts";

/** `orderlens describe` */
export const DESCRIBE: CommandSpec = {
  name: "describe",
  summary: "Tell what is in a dataset, what is not, and how to cite it",
  arguments: [{
    name: "<folder>",
    text: "folder of the dataset",
    values: "folder",
  }],
  examples: [
    { words: "describe try", text: "A dataset for people" },
    { words: "describe try --json", text: "The same for programs, with every column" },
  ],
  permissions: ["read", "ffi", "sys"],
  async run(session, given) {
    const { describeDataset, describeText } = await import("../../datasets/mod.ts");
    const description = await describeDataset(given.word(0));
    if (session.isJson) session.printJson("describe", description);
    else {
      const { isTerminal, columns } = session.io.out;
      session.write(
        describeText(description, isTerminal ? { columns: Math.max(40, columns) } : {}),
      );
    }
    return EXIT.done;
  },
};
