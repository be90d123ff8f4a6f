/**
 * The program `orderlens`; `bin/orderlens` starts it with the permissions that its command needs.
 *
 * @module
 */
import { run } from "./run.ts";
import { processIo } from "./terminal/deno_io.ts";

if (import.meta.main) {
  const { io, close } = processIo();
  const code = await run(Deno.args, io);
  close();
  Deno.exit(code);
}
