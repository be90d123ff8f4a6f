import { InputError } from "../../errors/mod.ts";
import { sparkFolder } from "./installed_spark.ts";
import { type Message, MessageProcess } from "./message_process.ts";
import type { ProgramFiles } from "./program_files.ts";

/** An environment in which Spark runs. */
export interface SparkEnvironment {
  /** Its Python. */
  readonly python: string;
  /** Version of the Java that Spark will use. */
  readonly java: string;
}

/** Options of {@linkcode prepareSpark}. */
export interface PrepareOptions {
  /** Folder of the environment. @default {`spark` in the user's cache folder} */
  readonly cacheFolder?: string | undefined;
  /** Called with what is being done, in a few words. */
  readonly onStep?: ((text: string) => void) | undefined;
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
    "Check that the Python package index can be reached and that the disk has 2 GB left, then " +
    "run this again",
  ],
  no_folder: [
    "its folder cannot be written",
    "Make the folder writable, or name another one in XDG_CACHE_HOME",
  ],
};

/**
 * Returns an environment with Spark, and installs it if it is missing: about 500 MB, from pinned
 * versions with hashes. Concurrent calls of all processes install it once; an install that was
 * interrupted is done again.
 *
 * @throws {InputError} If there is no Python or no Java, or it cannot be installed.
 */
export async function prepareSpark(
  programs: ProgramFiles,
  options: PrepareOptions = {},
): Promise<SparkEnvironment> {
  const { onStep = () => {}, signal } = options;
  const folder = options.cacheFolder ?? cacheFolder();
  let failure: Message | null = null;
  for (const program of PYTHONS) {
    signal?.throwIfAborted();
    const process = startPython(program, programs["prepare.py"]);
    if (process === null) continue;
    const stop = () => void process.stop();
    signal?.addEventListener("abort", stop, { once: true });
    try {
      await process.send({
        kind: "prepare",
        folder,
        requirements: programs["requirements.txt"],
        buildRequirements: programs["build_requirements.txt"],
      });
      for (let one = await process.receive(); one !== null; one = await process.receive()) {
        if (one.kind === "ready") return environmentOf(one);
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
  throw prepareError(failure);
}

/** Starts a Python; `null` if there is none of this name. */
function startPython(program: string, text: string): MessageProcess | null {
  try {
    return new MessageProcess({ program, args: ["-c", text] });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

function cacheFolder(): string {
  const folder = sparkFolder();
  if (folder !== null) return folder;
  throw new InputError("Cannot use Spark: there is no folder to install it into", {
    remedy: "Set HOME or XDG_CACHE_HOME, or pass cacheFolder",
  });
}

function environmentOf({ python, java }: Message): SparkEnvironment {
  return { python: String(python), java: String(java) };
}

function prepareError(failure: Message | null): InputError {
  const [what, remedy] = REASONS[String(failure?.reason ?? "no_python")] ?? REASONS.no_python!;
  return new InputError(`Cannot use Spark: ${what}`, {
    ...failure !== null && { facts: { found: String(failure.found) } },
    remedy,
  });
}
