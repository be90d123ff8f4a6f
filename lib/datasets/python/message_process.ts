/** A message of a program: an object with its kind. */
export type Message = Readonly<Record<string, unknown>> & { readonly kind: string };

/** What is started. */
interface ProcessStart {
  /** The program. */
  readonly program: string;
  /** Its arguments. */
  readonly args: readonly string[];
  /** Variables of its environment, besides those of this process. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Working folder. */
  readonly folder?: string | undefined;
}

/** Lines of the standard error that are kept. */
const KEPT_LINES = 200;

/**
 * A program that is sent one JSON object a line, and answers with one or more a line. What it prints
 * on its standard error is kept, in part, for errors.
 */
export class MessageProcess {
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #messages: AsyncGenerator<string, void, undefined>;
  readonly #errors: Promise<void>;
  readonly #lastLines: string[] = [];

  /**
   * Starts it.
   *
   * @throws {Deno.errors.NotFound} If there is no such program.
   */
  constructor({ program, args, variables = {}, folder }: ProcessStart) {
    this.#child = new Deno.Command(program, {
      args: [...args],
      env: { ...variables },
      ...folder !== undefined && { cwd: folder },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.#input = this.#child.stdin.getWriter();
    this.#messages = linesOf(this.#child.stdout);
    this.#errors = this.#keep();
  }

  /** Its process id. */
  get pid(): number {
    return this.#child.pid;
  }

  /** The last lines that it printed on its standard error. */
  get lastLines(): readonly string[] {
    return this.#lastLines;
  }

  /** Sends a message; one that has ended answers none. */
  async send(message: Message): Promise<void> {
    try {
      await this.#input.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
    } catch (error) {
      if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
    }
  }

  /** The next message; `null` if it has ended. */
  async receive(): Promise<Message | null> {
    const { value, done } = await this.#messages.next();
    return done === true ? null : JSON.parse(value);
  }

  /** Ends its input, upon which it ends by itself. */
  async end(): Promise<void> {
    try {
      await this.#input.close();
    } catch {
      // It has ended already.
    }
    await this.#rest();
  }

  /** Ends it at once. */
  async stop(): Promise<void> {
    try {
      this.#child.kill("SIGTERM");
    } catch {
      // It has ended already.
    }
    await this.end();
  }

  async #rest(): Promise<void> {
    await this.#messages.return();
    await Promise.all([this.#child.status, this.#errors]);
  }

  async #keep(): Promise<void> {
    for await (const line of linesOf(this.#child.stderr)) {
      this.#lastLines.push(line);
      if (this.#lastLines.length > KEPT_LINES) this.#lastLines.shift();
    }
  }
}

/** The lines of a stream. */
async function* linesOf(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest: string[] = [];
  for await (const bytes of stream) {
    const [first = "", ...lines] = decoder.decode(bytes, { stream: true }).split("\n");
    rest.push(first);
    if (lines.length === 0) continue;
    yield rest.join("");
    rest = [lines.pop()!];
    yield* lines;
  }
  const last = rest.join("");
  if (last !== "") yield last;
}
