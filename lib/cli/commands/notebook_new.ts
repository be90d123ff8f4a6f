import { EXIT } from "../terminal/exit_code.ts";
import type { CommandSpec } from "../words/command_spec.ts";
import { usageError } from "../words/usage_error.ts";

/** `orderlens notebook new` */
export const NOTEBOOK_NEW: CommandSpec = {
  name: "notebook new",
  summary: "Write a small notebook that reads a dataset",
  arguments: [{ name: "<file>", text: "the notebook, ending in .ipynb", values: "file" }],
  options: [{ flags: "--from <folder>", text: "folder of the dataset", values: "folder" }],
  examples: [{ words: "notebook new first.ipynb --from try", text: "A notebook of a dataset" }],
  permissions: ["read", "write", "ffi", "sys"],
  async run(session, given) {
    const folder = given.text("--from");
    const file = given.word(0);
    if (folder === undefined) {
      throw usageError(`${given.cannot} without a dataset`, "Pass --from with its folder");
    }
    if (!file.endsWith(".ipynb")) {
      throw usageError(
        `${given.cannot} with ${file}: it is no name of a notebook`,
        "Pass a name that ends in .ipynb",
      );
    }
    const { newNotebook } = await import("../actions/new_notebook.ts");
    await newNotebook(session, { file, folder });
    return EXIT.done;
  },
};
