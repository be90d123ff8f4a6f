import { dirname } from "node:path";

/** The result of a program. */
export interface RunResult {
  /** Whether its exit code was 0. */
  readonly success: boolean;
  /** Its whole output, both streams interleaved. */
  readonly output: string;
}

/** A program to run. */
export interface QuietRun {
  /** The program. */
  readonly program: string;
  /** Its arguments. */
  readonly args: readonly string[];
  /** Additional environment variables. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Working folder. */
  readonly folder?: string;
  /** File for its output. */
  readonly log?: string;
  /** Called with each line of output. */
  readonly onLine?: (line: string) => void;
}

/** Runs a program without showing its output. */
export async function runQuietly(run: QuietRun): Promise<RunResult> {
  const child = new Deno.Command(run.program, {
    args: [...run.args],
    env: { ...run.variables },
    ...(run.folder === undefined ? {} : { cwd: run.folder }),
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const lines: string[] = [];
  const take = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    for await (const line of readLines(stream)) {
      lines.push(line);
      run.onLine?.(line);
    }
  };
  const [{ success }] = await Promise.all([child.status, take(child.stdout), take(child.stderr)]);
  const output = lines.join("\n");
  if (run.log !== undefined) {
    await Deno.mkdir(dirname(run.log), { recursive: true });
    await Deno.writeTextFile(run.log, `${output}\n`);
  }
  return { success, output };
}

/** Reads the lines of a stream. */
export async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let remainder = "";
  for await (const bytes of stream) {
    const lines = (remainder + decoder.decode(bytes, { stream: true })).split(/\r?\n/);
    remainder = lines.pop() ?? "";
    yield* lines;
  }
  if (remainder !== "") yield remainder;
}
