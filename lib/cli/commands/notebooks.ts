import { type CommandSpec, usageError } from "../arguments/command_line.ts";
import { ENVIRONMENTS } from "../arguments/options.ts";
import { EXIT } from "../terminal/io.ts";

/** `orderlens notebook run` */
export const NOTEBOOK_RUN: CommandSpec = {
  name: "notebook run",
  summary: "Execute the notebooks of the project, and write their gallery",
  description:
    "Only in a clone of the project. Without options the notebooks read the recordings in " +
    "data/; ORDERLENS_RPC_URL is the URL of a node that is asked for decimals and times.",
  arguments: [{ name: "[names...]", text: "beginnings of their file names; none means all" }],
  options: [
    { flags: "--update", text: "write the outputs to the committed notebooks" },
    { flags: "--network <name>", text: "read a public network", values: "network" },
    {
      flags: "--env <environment>",
      text: "which deployment of it: production (default) or staging",
      values: ENVIRONMENTS,
    },
    { flags: "--url <url>", text: "read any other deployment" },
    { flags: "--chain-id <number>", text: "chain ID of --url" },
    { flags: "--settlement <address>", text: "its settlement contract" },
    { flags: "--recording <name>", text: "read another recording", values: "recording" },
    {
      flags: "--dataset <folder>",
      text: "read an exported dataset: one that ships, or its folder",
      values: "folder",
    },
    { flags: "--last <number>", text: "how many auction ids to read (20 if live)" },
    { flags: "--set <name=value>", text: "any other parameter; may be repeated" },
    { flags: "--out <folder>", text: "where to write", values: "folder" },
  ],
  examples: [
    { words: "notebook run", text: "All of them" },
    { words: "notebook run 01 --network xdai --last 20", text: "One of them on a live network" },
  ],
  permissions: ["read", "run"],
  async run(session, args) {
    const { runTool } = await import("../actions/new_notebook.ts");
    const words = args.raw.filter((word) => !["--json", "--quiet", "--verbose"].includes(word));
    return await runTool(session, args, { tool: "tools/run_notebooks.ts", words });
  },
};

/** `orderlens notebook new` */
export const NOTEBOOK_NEW: CommandSpec = {
  name: "notebook new",
  summary: "Write a small notebook that reads a dataset",
  arguments: [{ name: "<file>", text: "the notebook, ending in .ipynb", values: "file" }],
  options: [{ flags: "--from <folder>", text: "folder of the dataset", values: "folder" }],
  examples: [{ words: "notebook new first.ipynb --from try", text: "A notebook of a dataset" }],
  permissions: ["read", "write", "ffi", "sys"],
  async run(session, args) {
    const folder = args.text("--from");
    const file = args.word(0);
    if (folder === undefined) {
      throw usageError(`${args.cannot} without a dataset`, "Pass --from with its folder");
    }
    if (!file.endsWith(".ipynb")) {
      throw usageError(
        `${args.cannot} with ${file}: it is no name of a notebook`,
        "Pass a name that ends in .ipynb",
      );
    }
    const { newNotebook } = await import("../actions/new_notebook.ts");
    await newNotebook(session, { file, folder });
    return EXIT.done;
  },
};

/** `orderlens lab` */
export const LAB: CommandSpec = {
  name: "lab",
  summary: "Open JupyterLab on the notebooks, with the kernel ready",
  description: "Only in a clone of the project. Installs Jupyter there if it is missing.",
  arguments: [{ name: "[words...]", text: "options of JupyterLab" }],
  examples: [
    { words: "lab", text: "In a browser" },
    { words: "lab --no-browser --port 9000", text: "On another port" },
  ],
  permissions: ["read", "run"],
  passesOn: true,
  async run(session, args) {
    const { runTool } = await import("../actions/new_notebook.ts");
    return await runTool(session, args, { tool: "tools/run_lab.ts", words: args.raw });
  },
};
