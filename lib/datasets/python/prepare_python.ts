import { InputError } from "../../errors/mod.ts";
import { isMissing, localFiles } from "../../http/local_files.ts";
import { userCacheFolder } from "../rate_limit/host_limit.ts";

/** What is installed into an environment of Python of its own. */
export interface PythonSetup {
  /** Name of its folder in the user's cache folder. */
  readonly name: string;
  /** What it is, for people. */
  readonly what: string;
  /** How much is installed, such as `about 500 MB`. */
  readonly size: string;
  /** Whether it needs Java too. */
  readonly needsJava: boolean;
  /** Requirements of pip, of pinned versions. */
  readonly requirements: string;
  /** What has to be there to build them; empty if nothing. */
  readonly buildRequirements: string;
}

/** An environment of Python that is complete. */
interface PythonEnvironment {
  /** Its Python. */
  readonly python: string;
  /** Version of the Java that it will use; `null` if it needs none. */
  readonly java: string | null;
}

/** Options of {@linkcode preparePython}. */
interface PrepareOptions {
  /** Folder of the environment. @default {one of its name in the user's cache folder} */
  readonly cacheFolder?: string | undefined;
  /** Called with what is being done, in a few words. */
  readonly onStep?: ((text: string) => void) | undefined;
  /** Text of the program that installs. @default {that of the library} */
  readonly program?: string | undefined;
  /** Ends it. */
  readonly signal?: AbortSignal | undefined;
}

const PYTHONS = ["python3", "python", "python3.14", "python3.13", "python3.12", "python3.11"];

const GET_PYTHON =
  "Install Python 3.11 or newer (Debian, Ubuntu: apt install python3 python3-venv; " +
  "macOS: brew install python; Windows: winget install Python.Python.3.13)";
const GET_JAVA =
  "Install Java 17 or 21 (Debian, Ubuntu: apt install openjdk-17-jdk-headless; macOS: " +
  "brew install openjdk@17; Windows: winget install EclipseAdoptium.Temurin.17.JDK), or set " +
  "JAVA_HOME to where it is";

/** Each reason why there can be no environment: what fails, and the remedy. */
const REASONS: Readonly<Record<string, readonly [what: string, remedy: string]>> = {
  no_python: ["it needs Python 3.11 or newer", GET_PYTHON],
  no_java: ["it needs Java 17 or newer", GET_JAVA],
  no_venv: [
    "Python cannot create a virtual environment",
    "Install it (Debian, Ubuntu: apt install python3-venv), then run this again",
  ],
  no_packages: [
    "its packages cannot be installed",
    "Check that the Python package index can be reached and that the disk has room, then " +
    "run this again",
  ],
  no_folder: [
    "its folder cannot be written",
    "Make the folder writable, or name another one in XDG_CACHE_HOME",
  ],
};

/** The program that installs, which stands beside this file. */
export async function preparingProgram(): Promise<string> {
  return await localFiles().readFile(new URL("./prepare.py", import.meta.url), "utf8");
}

/**
 * Returns an environment with what is asked for, and installs it if it is missing, from pinned
 * versions. Concurrent calls of all processes install it once; an install that was interrupted is done
 * again.
 *
 * @throws {InputError} If there is no Python, or no Java where it is needed, it cannot be installed, or
 *   the runtime is not Deno.
 */
export async function preparePython(
  setup: PythonSetup,
  options: PrepareOptions = {},
): Promise<PythonEnvironment> {
  if (typeof Deno === "undefined") {
    throw new InputError("Cannot start Python: starting it requires Deno", {
      remedy: "Run it in Deno",
    });
  }
  const { onStep = () => {}, signal } = options;
  const folder = options.cacheFolder ?? cacheFolder(setup);
  const text = options.program ?? await preparingProgram();
  let failure: Message | null = null;
  for (const program of PYTHONS) {
    signal?.throwIfAborted();
    const process = startPython(program, text);
    if (process === null) continue;
    const stop = () => void process.stop();
    signal?.addEventListener("abort", stop, { once: true });
    try {
      await process.send({ kind: "prepare", ...setup, folder });
      for (let one = await process.receive(); one !== null; one = await process.receive()) {
        if (one.kind === "ready") {
          return { python: String(one.python), java: one.java === null ? null : String(one.java) };
        }
        if (one.kind === "step") onStep(String(one.text));
        if (one.kind === "failed") failure = one;
      }
    } finally {
      signal?.removeEventListener("abort", stop);
      await process.end();
    }
    signal?.throwIfAborted();
    // A version manager's shim ends without a word; an older Python says so.
    if (failure !== null && failure.reason !== "no_python") break;
  }
  throw prepareError(setup, failure);
}

/** Starts a Python; `null` if there is none of this name. */
function startPython(program: string, text: string): MessageProcess | null {
  try {
    return new MessageProcess({ program, args: ["-c", text] });
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function cacheFolder({ name, what }: PythonSetup): string {
  const folder = userCacheFolder();
  if (folder !== null) return `${folder}/${name}`;
  throw new InputError(`Cannot use ${what}: there is no folder to install it into`, {
    remedy: "Set HOME or XDG_CACHE_HOME, or pass cacheFolder",
  });
}

function prepareError(setup: PythonSetup, failure: Message | null): InputError {
  const [what, remedy] = REASONS[String(failure?.reason ?? "no_python")] ?? REASONS.no_python!;
  return new InputError(`Cannot use ${setup.what}: ${what}`, {
    ...failure !== null && { facts: { found: String(failure.found) } },
    remedy,
  });
}

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
    await this.#messages.return();
    await Promise.all([this.#child.status, this.#errors]);
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
