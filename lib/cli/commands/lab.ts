import type { CommandSpec } from "../words/command_spec.ts";

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
  async run(session, given) {
    const { runTool } = await import("../actions/run_tool.ts");
    return await runTool(session, given, { tool: "tools/run_lab.ts", words: given.raw });
  },
};
