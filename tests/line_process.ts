import { linesOf } from "../tools/terminal/run_quietly.ts";
import { TaskError } from "../tools/terminal/task_error.ts";

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
  readonly #name: string;

  /** Starts it. */
  constructor({ program, args, env }: LineProgram) {
    this.#name = args.find((arg) => /\.m?[jt]s$/.test(arg)) ?? program;
    this.#child = new Deno.Command(program, {
      args: [...args],
      env: { NO_COLOR: "1", ...env },
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#input = this.#child.stdin.getWriter();
    this.#lines = linesOf(this.#child.stdout);
  }

  /**
   * The next line it writes.
   *
   * @throws {TaskError} If it ends instead.
   */
  async line(): Promise<string> {
    const { done, value } = await this.#lines.next();
    if (done) throw new TaskError(`${this.#name} ended before it answered`);
    return value;
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
    await this.#child.status;
  }
}
