import { delimiter, join } from "node:path";
import { TaskError } from "../terminal/task_error.ts";

/** A Python that can create virtual environments. */
export interface Python {
  /** Path of its program. */
  readonly path: string;
  /** Its version, such as `3.12.1`. */
  readonly version: string;
}

const MIN_VERSION = { major: 3, minor: 10 };
const NAMES = [
  "python3",
  "python",
  ...[15, 14, 13, 12, 11, 10].map((minor) => `python3.${minor}`),
];
const NEEDED = `Python ${MIN_VERSION.major}.${MIN_VERSION.minor} or newer`;
const INSTALL =
  "install it (Debian, Ubuntu: apt install python3 python3-venv; macOS: brew install python; Windows: winget install Python.Python.3.13)";

/** Runs on any Python, 2 included. */
const PROBE = `
import sys
missing = []
for name in ("venv", "ensurepip"):
    try:
        __import__(name)
    except ImportError:
        missing.append(name)
sys.stdout.write("python %d.%d.%d %s" % (sys.version_info[:3] + (",".join(missing),)))
`;

/**
 * Finds a Python for the virtual environment among the folders of `path`.
 *
 * @throws {TaskError} If none is suitable; says in one line what to install.
 */
export async function findPython(path: string = Deno.env.get("PATH") ?? ""): Promise<Python> {
  let tooOld: PythonProbe | undefined;
  let incomplete: PythonProbe | undefined;
  for (const program of await listPrograms(path)) {
    const candidate = await probe(program);
    if (candidate === undefined) continue;
    if (isTooOld(candidate)) tooOld ??= candidate;
    else if (candidate.missing.length > 0) incomplete ??= candidate;
    else return { path: candidate.path, version: candidate.version };
  }
  if (incomplete !== undefined) {
    throw new TaskError(
      `Python ${incomplete.version} (${incomplete.path}) lacks ${incomplete.missing.join(" and ")}`,
      {
        fix: `install ${
          incomplete.missing.length > 1 ? "them" : "it"
        } (Debian, Ubuntu: apt install python3-venv), or a Python from python.org`,
      },
    );
  }
  if (tooOld !== undefined) {
    throw new TaskError(
      `Jupyter needs ${NEEDED}, but ${tooOld.path} is Python ${tooOld.version}`,
      { fix: INSTALL },
    );
  }
  throw new TaskError(`Jupyter needs ${NEEDED}, but no Python is on the PATH`, {
    fix: INSTALL,
  });
}

interface PythonProbe extends Python {
  readonly missing: readonly string[];
}

/** Every Python program, in the search order of a shell. */
async function listPrograms(path: string): Promise<string[]> {
  const programs: string[] = [];
  for (const name of NAMES) {
    for (const folder of path.split(delimiter).filter((folder) => folder !== "")) {
      const program = join(folder, Deno.build.os === "windows" ? `${name}.exe` : name);
      if (await isFile(program)) {
        programs.push(program);
        break;
      }
    }
  }
  return programs;
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isFile;
  } catch {
    return false;
  }
}

/** The self-description of a Python; `undefined` if it does not run, such as a version manager's shim. */
async function probe(path: string): Promise<PythonProbe | undefined> {
  try {
    const { success, stdout } = await new Deno.Command(path, {
      args: ["-c", PROBE],
      stdin: "null",
      stderr: "null",
    }).output();
    const [, version, missing] =
      /^python (\d+\.\d+\.\d+) ([a-z,]*)\s*$/.exec(new TextDecoder().decode(stdout)) ?? [];
    if (!success || version === undefined || missing === undefined) return undefined;
    return { path, version, missing: missing.split(",").filter((name) => name !== "") };
  } catch {
    return undefined;
  }
}

function isTooOld({ version }: Python): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major < MIN_VERSION.major || (major === MIN_VERSION.major && minor < MIN_VERSION.minor);
}
