import { assertEquals, assertRejects } from "@std/assert";
import { cloneFile, runTool } from "../../lib/cli/actions/run_tool.ts";
import { COMMANDS } from "../../lib/cli/mod.ts";
import { Session } from "../../lib/cli/terminal/session.ts";
import { Args } from "../../lib/cli/arguments/command_line.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";
import { memoryIo } from "./memory_io.ts";

Deno.test("what needs a clone says so where there is none", async () => {
  const session = new Session(memoryIo().io, { isJson: false, verbosity: "usual" });
  const args = new Args("lab", { words: [], raw: [], values: new Map() });
  await assertRejects(
    () => runTool(session, args, { tool: "tools/no_such_tool.ts", words: [] }),
    Error,
    "Cannot run lab without a clone of the project: tools/no_such_tool.ts is not there\nFix: ",
  );
});

Deno.test("the programs that commands start are in the clone", async () => {
  // The third, `publish`, starts a Python of its own.
  const running = COMMANDS.filter(({ permissions }) => permissions.includes("run"));
  assertEquals(running.length, 3);
  for (const tool of ["tools/run_lab.ts", "tools/run_notebooks.ts"]) {
    assertEquals(await cloneFile(tool), `${PROJECT_ROOT}/${tool}`);
  }
});
