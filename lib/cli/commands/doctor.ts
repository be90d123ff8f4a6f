import { NODE_OPTIONS, TARGET_OPTIONS } from "../deployment/target_options.ts";
import { EXIT } from "../terminal/exit_code.ts";
import type { CommandSpec } from "../words/command_spec.ts";

/** `orderlens doctor` */
export const DOCTOR: CommandSpec = {
  name: "doctor",
  summary: "Check what is installed, allowed and reachable, with a fix for each",
  description: "Asks the deployment and the node that are named, and nothing else. " +
    "Ends with 1 if something does not work.",
  options: [...TARGET_OPTIONS, ...NODE_OPTIONS],
  examples: [
    { words: "doctor", text: "This machine" },
    { words: "doctor --network mainnet", text: "Also whether a network can be asked" },
  ],
  permissions: ["read", "write", "ffi", "sys", "net", "env"],
  async run(session, given) {
    const { checkAll } = await import("../actions/check_all.ts");
    const checks = await checkAll(session, given);
    if (session.isJson) session.printJson("doctor", { checks });
    else {
      const width = Math.max(...checks.map(({ name }) => name.length));
      for (const { name, state, found, fix } of checks) {
        session.print(`${state.padEnd(7)}  ${name.padEnd(width)}  ${found}`);
        if (fix !== null) session.print(`${" ".repeat(width + 11)}Fix: ${fix}`);
      }
    }
    return checks.some(({ state }) => state === "failed") ? EXIT.failed : EXIT.done;
  },
};
