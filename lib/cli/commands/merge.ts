import { EXIT } from "../terminal/exit_code.ts";
import type { CommandSpec } from "../words/command_spec.ts";
import { usageError } from "../words/usage_error.ts";

/** `orderlens merge` */
export const MERGE: CommandSpec = {
  name: "merge",
  summary: "Join datasets of one chain into a new one",
  description:
    "Ranges that may overlap, and environments such as production and staging. What two of them have is in the result once.",
  arguments: [{ name: "<folders...>", text: "folders of the datasets", values: "folder" }],
  options: [
    {
      flags: "--into <folder>",
      text: "folder of the new dataset; nothing may be there",
      values: "folder",
    },
  ],
  examples: [
    { words: "merge monday tuesday --into both", text: "Two ranges" },
    { words: "merge production staging --into both", text: "Both deployments of a network" },
  ],
  permissions: ["read", "write", "ffi", "sys"],
  async run(session, given) {
    const into = given.text("--into");
    if (into === undefined) {
      throw usageError(
        `${given.cannot} without a place for the result`,
        "Pass --into with a folder",
      );
    }
    const { mergeAction } = await import("../actions/merge_action.ts");
    const isComplete = await mergeAction(session, { folders: given.words, into });
    return isComplete ? EXIT.done : EXIT.gaps;
  },
};
