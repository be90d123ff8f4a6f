import { assertEquals, assertStringIncludes } from "@std/assert";
import { COMMANDS, run } from "../../lib/cli/mod.ts";
import type { Io, Output } from "../../lib/cli/terminal/io.ts";
import type { CommandSpec } from "../../lib/cli/arguments/command_line.ts";

/** What a command line was run with, and may be left out. */
export interface MemoryOptions {
  /** Variables of the environment. */
  readonly variables?: Readonly<Record<string, string>>;
  /** What stdin has. */
  readonly input?: string;
  /** Whether both streams are terminals. */
  readonly isTerminal?: boolean;
  /** Ends it. */
  readonly signal?: AbortSignal;
  /** The commands. */
  readonly commands?: readonly CommandSpec[];
}

/** Streams that keep what is written. */
export function memoryIo(options: MemoryOptions = {}): { io: Io; out: string[]; err: string[] } {
  const { isTerminal = false, input = "", variables = {} } = options;
  const [out, err]: [string[], string[]] = [[], []];
  const into = (texts: string[]): Output => ({
    write: (text) => void texts.push(text),
    isTerminal,
    columns: 80,
  });
  const io: Io = {
    out: into(out),
    err: into(err),
    isColored: false,
    signal: options.signal ?? new AbortController().signal,
    env: (name) => variables[name],
    readInput: () => Promise.resolve(input),
    async *readPieces() {
      // Pieces of a prime length end anywhere.
      for (let at = 0; at < input.length; at += 97) yield input.slice(at, at + 97);
    },
  };
  return { io, out, err };
}

/** Runs the command line in this process. */
export async function orderlens(
  words: string | readonly string[],
  options: MemoryOptions = {},
) {
  const { io, out, err } = memoryIo(options);
  const args = typeof words === "string" ? words.split(" ").filter((word) => word !== "") : words;
  const code = await run(args, io, options.commands ?? COMMANDS);
  return { code, out: out.join(""), err: err.join("") };
}

/** Runs a command line that must succeed. */
export async function succeeds(
  words: string | readonly string[],
  options: MemoryOptions = {},
) {
  const ran = await orderlens(words, options);
  assertEquals(ran.code, 0, ran.err);
  return ran;
}

/** Runs a command line that fails with a code, without output, and says all the texts. */
export async function refused(
  words: string | readonly string[],
  expected: number,
  ...texts: readonly string[]
): Promise<string> {
  const { code, out, err } = await orderlens(words);
  assertEquals([code, out], [expected, ""], err);
  for (const text of texts) assertStringIncludes(err, text);
  return err;
}

/** Runs a command line while `use` looks at the first text it prints, and then interrupts it. */
export async function whileServed(
  words: string | readonly string[],
  use: (text: string) => Promise<void>,
): Promise<number> {
  const controller = new AbortController();
  const { io } = memoryIo({ signal: controller.signal });
  const { promise: said, resolve } = Promise.withResolvers<string>();
  const args = typeof words === "string" ? words.split(" ") : words;
  const code = run(args, { ...io, out: { ...io.out, write: resolve } });
  try {
    await use(await Promise.race([said, code.then(() => "it ended without a word")]));
  } finally {
    controller.abort();
  }
  return await code;
}
