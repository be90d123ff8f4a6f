import { EXIT } from "../terminal/exit_code.ts";
import type { CommandSpec } from "../words/command_spec.ts";

/** `orderlens rebuild` */
export const REBUILD: CommandSpec = {
  name: "rebuild",
  summary: "Make all tables of a dataset again from its answers",
  description:
    "For datasets of an older version of Orderlens, and for lost or damaged tables. With --shard and --into, several machines rebuild one dataset, which they only read. " +
    "Asks no deployment.",
  arguments: [{ name: "<folder>", text: "folder of the dataset", values: "folder" }],
  options: [
    {
      flags: "--shard <I/N>",
      text: "shard I of N of its files, for several machines; merge joins them",
    },
    {
      flags: "--into <folder>",
      text: "write a dataset there, new or empty, and only read this one",
      values: "folder",
    },
  ],
  examples: [
    { words: "rebuild try", text: "The tables of a dataset" },
    {
      words: "rebuild week --shard 1/3 --into shard1",
      text: "A third of them, in a folder of its own",
    },
  ],
  permissions: ["read", "write", "ffi", "sys"],
  isResumable: true,
  async run(session, given) {
    const { rebuildAction } = await import("../actions/rebuild_action.ts");
    await rebuildAction(session, given);
    return EXIT.done;
  },
};
