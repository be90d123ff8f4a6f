import { join } from "node:path";

/** Where a project's Jupyter lives, and how to run it. */
export interface JupyterEnvironment {
  /** Folder of the virtual environment. */
  readonly folder: string;
  /** Its Python. */
  readonly python: string;
  /** Environment variables to run that Python with. */
  readonly variables: Readonly<Record<string, string>>;
  /** Where Jupyter looks for a person's settings. */
  readonly settings: string;
}

/**
 * The Jupyter of the project at `root`, installed or not.
 *
 * The variables keep everything that Jupyter reads and writes inside `.venv`, so that neither the
 * home folder nor what is installed there has a say.
 */
export function jupyterEnvironment(root: string): JupyterEnvironment {
  const folder = join(root, ".venv");
  const own = join(folder, "jupyter");
  const settings = join(own, "config");
  return {
    folder,
    settings,
    python: Deno.build.os === "windows"
      ? join(folder, "Scripts", "python.exe")
      : join(folder, "bin", "python"),
    variables: {
      VIRTUAL_ENV: folder,
      JUPYTER_CONFIG_DIR: settings,
      JUPYTER_DATA_DIR: join(own, "data"),
      JUPYTER_RUNTIME_DIR: join(own, "runtime"),
      JUPYTER_PATH: "",
      JUPYTER_CONFIG_PATH: "",
      JUPYTER_PLATFORM_DIRS: "0",
      JUPYTER_PREFER_ENV_PATH: "1",
      IPYTHONDIR: join(own, "ipython"),
      PYTHONHOME: "",
      PYTHONPATH: "",
      PYTHONNOUSERSITE: "1",
      // Packages are installed uncompiled, and compile when they are first used.
      PYTHONDONTWRITEBYTECODE: "",
      PYTHONUTF8: "1",
      PIP_USER: "0",
      PIP_DISABLE_PIP_VERSION_CHECK: "1",
      PIP_NO_INPUT: "1",
    },
  };
}
