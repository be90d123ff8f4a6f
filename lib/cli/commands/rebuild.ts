import { EXIT } from "../terminal/exit_code.ts";
import { ABOUT_OPTIONS } from "../words/about_options.ts";
import type { CommandSpec } from "../words/command_spec.ts";

/** `orderlens rebuild` */
export const REBUILD: CommandSpec = {
  name: "rebuild",
  summary: "Make all tables of a dataset again from its answers",
  description:
    "For datasets of an older version of Orderlens, and for lost or damaged tables. With --into, the dataset itself is only read. " +
    "Asks no deployment.",
  arguments: [{ name: "<folder>", text: "folder of the dataset", values: "folder" }],
  options: [
    {
      flags: "--into <folder>",
      text: "write a dataset there, new or empty, and only read this one",
      values: "folder",
    },
    ...ABOUT_OPTIONS,
  ],
  examples: [
    { words: "rebuild try", text: "The tables of a dataset" },
    { words: "rebuild week --into again", text: "The same in a folder of its own" },
    { words: "rebuild week --license CC-BY-4.0", text: "The license of a dataset, with all sums" },
  ],
  permissions: ["read", "write", "ffi", "sys"],
  isResumable: true,
  async run(session, given) {
    const { rebuildAction } = await import("../actions/rebuild_action.ts");
    await rebuildAction(session, given);
    return EXIT.done;
  },
};
