/**
 * The program `orderlens`; `bin/orderlens` starts it with the permissions that its command needs.
 *
 * @module
 */
import { run } from "./run.ts";
import { decodeText, EXIT, type Io, type Output } from "./terminal/io.ts";

const DEFAULT_COLUMNS = 80;
const SIGNALS: readonly Deno.Signal[] = Deno.build.os === "windows"
  ? ["SIGINT"]
  : ["SIGINT", "SIGTERM"];

/** A stream of the process, such as `Deno.stdout`. */
interface ProcessStream {
  writeSync(bytes: Uint8Array): number;
  isTerminal(): boolean;
}

/**
 * Creates the streams and the environment of this process. The first SIGINT or SIGTERM aborts the
 * command gracefully, the second exits at once.
 *
 * @returns The streams, and a function that removes the signal listeners.
 */
function processIo(): { io: Io; close: () => void } {
  const controller = new AbortController();
  const listeners = SIGNALS.map((name) => {
    const listener = () => {
      if (controller.signal.aborted) Deno.exit(EXIT.interrupted);
      controller.abort(new DOMException(name, "AbortError"));
    };
    Deno.addSignalListener(name, listener);
    return { name, listener };
  });
  const io: Io = {
    out: createOutput(Deno.stdout),
    err: createOutput(Deno.stderr),
    isColored: !Deno.noColor,
    signal: controller.signal,
    env: readVariable,
    readPieces: () => decodeText(Deno.stdin.readable),
    readInput: () => new Response(Deno.stdin.readable).text(),
  };
  const close = () => {
    for (const { name, listener } of listeners) Deno.removeSignalListener(name, listener);
  };
  return { io, close };
}

function readVariable(name: string): string | undefined {
  // Commands without secrets have no permission to read the environment.
  if (Deno.permissions.querySync({ name: "env", variable: name }).state !== "granted") {
    return undefined;
  }
  const text = Deno.env.get(name);
  return text === "" ? undefined : text;
}

/** Creates an output that ignores writes once its reader has gone, as `head` does. */
function createOutput(stream: ProcessStream): Output {
  const encoder = new TextEncoder();
  let isOpen = true;
  return {
    isTerminal: stream.isTerminal(),
    get columns() {
      return readColumns();
    },
    write(text) {
      let bytes = encoder.encode(text);
      try {
        while (isOpen && bytes.length > 0) bytes = bytes.subarray(stream.writeSync(bytes));
      } catch (error) {
        if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
        isOpen = false;
      }
    },
  };
}

function readColumns(): number {
  try {
    return Deno.consoleSize().columns || DEFAULT_COLUMNS;
  } catch {
    return DEFAULT_COLUMNS;
  }
}

if (import.meta.main) {
  const { io, close } = processIo();
  const code = await run(Deno.args, io);
  close();
  Deno.exit(code);
}
