import { writeSync } from "node:fs";
import process from "node:process";
import { isatty } from "node:tty";
import { decodeText, EXIT, type Io, type Output } from "./io.ts";

const DEFAULT_COLUMNS = 80;
/** Pause before the next write to a full pipe, in milliseconds. */
const PAUSE_MS = 5;

/**
 * Creates the streams and the environment of this process, in Deno and in Node. The first SIGINT or
 * SIGTERM aborts the command gracefully, the second exits at once.
 */
export function processIo(environment: Pick<Io, "isColored" | "env">): Io {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"]) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(EXIT.interrupted);
      controller.abort(new DOMException(name, "AbortError"));
    });
  }
  return {
    ...environment,
    out: createOutput(1),
    err: createOutput(2),
    signal: controller.signal,
    readPieces: () => decodeText(process.stdin),
    readInput: async () => (await Array.fromAsync(decodeText(process.stdin))).join(""),
  };
}

/** Creates an output that ignores writes once its reader has gone, as `head` does. */
function createOutput(file: 1 | 2): Output {
  let isOpen = true;
  return {
    isTerminal: isatty(file),
    get columns() {
      return (file === 1 ? process.stdout : process.stderr).columns || DEFAULT_COLUMNS;
    },
    write(text) {
      let bytes = new TextEncoder().encode(text);
      while (isOpen && bytes.length > 0) {
        try {
          bytes = bytes.subarray(writeSync(file, bytes));
        } catch (error) {
          const { code } = Object(error);
          // The reader of a non-blocking pipe is slower.
          if (code === "EAGAIN") {
            Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
          } else if (code === "EPIPE") isOpen = false;
          else throw error;
        }
      }
    },
  };
}
