import { assertEquals } from "@std/assert";
import { readLines } from "../../tools/terminal/run_quietly.ts";

/** A program that starts a child, and passes signals to it. */
const PARENT = `
import { passSignals } from "${new URL("../../tools/terminal/pass_signals.ts", import.meta.url)}";
const child = new Deno.Command("sh", {
  args: ["-c", "trap 'echo ended; exit 3' TERM; echo ready; while :; do read _ || sleep 1; done"],
  stdin: "inherit",
}).spawn();
using signals = passSignals(child);
console.log("listens");
const { code } = await child.status;
console.log(code, signals.isEnding);
`;

Deno.test({
  name: "passSignals() ends a child when a signal reaches its parent alone",
  ignore: Deno.build.os === "windows",
  async fn() {
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      const parent = new Deno.Command(Deno.execPath(), {
        args: ["eval", "--ext=ts", "--no-lock", PARENT],
        env: { NO_COLOR: "1" },
        stdin: "null",
        stdout: "piped",
        stderr: "inherit",
      }).spawn();
      const lines = readLines(parent.stdout);
      // A signal before either of these would end the parent alone.
      const begun = [(await lines.next()).value, (await lines.next()).value];
      assertEquals(begun.toSorted(), ["listens", "ready"]);
      parent.kill(signal);
      assertEquals(await Array.fromAsync(lines), ["ended", "3 true"]);
      assertEquals((await parent.status).success, true);
    }
  },
});
