/**
 * The program `orderlens`; `bin/orderlens` starts it with the permissions that its command needs.
 *
 * @module
 */
import { run } from "./run.ts";
import { processIo } from "./terminal/process_io.ts";

function readVariable(name: string): string | undefined {
  // Commands without secrets have no permission to read the environment.
  const { state } = Deno.permissions.querySync({ name: "env", variable: name });
  return state === "granted" ? Deno.env.get(name) || undefined : undefined;
}

if (import.meta.main) {
  Deno.exit(await run(Deno.args, processIo({ isColored: !Deno.noColor, env: readVariable })));
}
