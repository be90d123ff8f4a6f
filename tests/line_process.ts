import { readLines } from "../tools/terminal/run_quietly.ts";
import { TaskError } from "../tools/terminal/task_error.ts";

/** Characters of what a program says of its failure that are shown, from the end. */
const MAX_SHOWN = 2_000;

/** How to start a program. */
export interface LineProgram {
  /** The program. */
  readonly program: string;
  /** Its arguments. */
  readonly args: readonly string[];
  /** Variables of its environment, besides those of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A program that reads lines and answers each with one line, until it is disposed of. */
export class LineProcess implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #lines: AsyncGenerator<string>;
  readonly #errors: Promise<string>;
  readonly #name: string;

  /** Starts it. */
  constructor({ program, args, env }: LineProgram) {
    this.#name = args.find((arg) => /\.m?[jt]s$/.test(arg)) ?? program;
    this.#child = new Deno.Command(program, {
      args: [...args],
      env: { NO_COLOR: "1", ...env },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.#errors = new Response(this.#child.stderr).text();
    this.#input = this.#child.stdin.getWriter();
    this.#lines = readLines(this.#child.stdout);
  }

  /**
   * The next line it writes.
   *
   * @throws {TaskError} If it ends instead.
   */
  async line(): Promise<string> {
    const { done, value } = await this.#lines.next();
    if (!done) return value;
    const [{ code }, errors] = await Promise.all([this.#child.status, this.#errors]);
    throw new TaskError(
      `${this.#name} ended with exit code ${code} before it answered\n${errors.slice(-MAX_SHOWN)}`,
    );
  }

  /** Gives it a line, and takes its answer. */
  async ask(line: string): Promise<string> {
    await this.#input.write(new TextEncoder().encode(`${line}\n`));
    return await this.line();
  }

  /** Ends its input, and waits until it has ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#input.close().catch(() => {});
    for await (const _ of this.#lines) { /* Until it has no more to say. */ }
    await Promise.all([this.#child.status, this.#errors]);
  }
}

/** What a program wrote, and how it ended. */
export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Gives a program with three pipes its whole input, and waits until it ends. */
export async function ended(command: Deno.Command, input = ""): Promise<Ended> {
  const child = command.spawn();
  const writer = child.stdin.getWriter();
  // A program that reads nothing may have ended.
  await writer.write(new TextEncoder().encode(input)).catch(() => {});
  await writer.close().catch(() => {});
  const { code, stdout, stderr } = await child.output();
  const decoder = new TextDecoder();
  return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
}

/** Options of a command for {@linkcode ended}. */
export const PIPES = { stdin: "piped", stdout: "piped", stderr: "piped" } as const;
