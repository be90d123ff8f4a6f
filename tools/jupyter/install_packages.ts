import { join } from "node:path";
import { Progress, type Screen } from "../terminal/progress.ts";
import { runQuietly } from "../terminal/run_quietly.ts";
import { formatSeconds } from "../terminal/seconds.ts";
import { TaskError } from "../terminal/task_error.ts";
import type { JupyterEnvironment } from "./environment.ts";
import type { Python } from "./find_python.ts";

/**
 * Creates the virtual environment and installs `requirements.txt` of `root` into it.
 *
 * @throws {TaskError} If that fails; the output of the programs is in `build/set_up.log`.
 */
export async function installPackages(
  { root, environment, python, screen }: {
    root: string;
    environment: JupyterEnvironment;
    python: Python;
    screen: Screen;
  },
): Promise<void> {
  const log = join(root, "build", "set_up.log");
  using progress = new Progress(
    `Setting up Jupyter in .venv with Python ${python.version}, once`,
    screen,
  );
  const created = await runQuietly({
    program: python.path,
    args: ["-m", "venv", "--clear", environment.folder],
    log,
  });
  if (!created.success) {
    throw new TaskError(
      `Cannot create .venv with ${python.path} (${findLastError(created.output)})`,
      {
        fix: "its complete output is in build/set_up.log",
      },
    );
  }
  const installed = await runQuietly({
    program: environment.python,
    args: [
      ...["-m", "pip", "install", "--progress-bar", "off", "--prefer-binary", "--no-compile"],
      ...["-r", join(root, "requirements.txt")],
    ],
    variables: environment.variables,
    log,
    onLine: (line) => {
      const step = parsePipStep(line);
      if (step !== undefined) progress.update(`Installing Jupyter: ${step}`);
    },
  });
  if (!installed.success) {
    throw new TaskError(`Cannot install Jupyter (${findLastError(installed.output)})`, {
      fix:
        "check that the Python package index can be reached (pip's complete output is in build/set_up.log), then run this again",
    });
  }
  progress.say(
    `Installed Jupyter into .venv with Python ${python.version} in ${
      formatSeconds(progress.elapsed)
    }`,
  );
}

/** The progress in a line of pip's output, if any. */
export function parsePipStep(line: string): string | undefined {
  const [, action, subject] =
    /^\s*(Collecting|Downloading|Using cached|Building wheel for|Installing collected packages:) ?([^\s;]*)/
      .exec(line) ?? [];
  if (action === undefined || subject === undefined) return undefined;
  if (action === "Installing collected packages:") {
    return `unpacking ${line.split(",").length} packages`;
  }
  const name = subject.replace(/^.*\//, "").replace(/-py\d.*|-cp\d.*|\.tar\.gz$|\.metadata$/, "");
  return action === "Collecting" ? `looking up ${name}` : `${action.toLowerCase()} ${name}`;
}

/** The reason why a program failed: its last line that is marked as an error. */
function findLastError(output: string): string {
  const lines = output.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  return lines.findLast((line) => /error/i.test(line)) ?? lines.at(-1) ?? "no output";
}
