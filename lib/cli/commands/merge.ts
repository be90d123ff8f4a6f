import { EXIT } from "../terminal/exit_code.ts";
import type { CommandSpec } from "../words/command_spec.ts";
import { usageError } from "../words/usage_error.ts";

/** `orderlens merge` */
export const MERGE: CommandSpec = {
  name: "merge",
  summary: "Join datasets of one chain into a new one",
  description:
    "Shards of a range or of a rebuild, ranges that may overlap, and environments such as production " +
    "and staging. What two of them have is in the result once; a shard that is missing or there twice is an error.",
  arguments: [{ name: "<folders...>", text: "folders of the datasets", values: "folder" }],
  options: [
    {
      flags: "--into <folder>",
      text: "folder of the new dataset; nothing may be there",
      values: "folder",
    },
  ],
  examples: [
    { words: "merge shard1 shard2 --into whole", text: "Two shards of a range" },
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
