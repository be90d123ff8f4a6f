import { ENVIRONMENTS } from "../deployment/target_options.ts";
import type { CommandSpec } from "../words/command_spec.ts";

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
  async run(session, given) {
    const { runTool } = await import("../actions/run_tool.ts");
    const words = given.raw.filter((word) => !["--json", "--quiet", "--verbose"].includes(word));
    return await runTool(session, given, { tool: "tools/run_notebooks.ts", words });
  },
};
