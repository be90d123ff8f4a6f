import { join } from "node:path";

/** The Jupyter installation of a project. */
export interface JupyterEnvironment {
  /** Folder of the virtual environment. */
  readonly folder: string;
  /** Its Python. */
  readonly python: string;
  /** Environment variables of its Python. */
  readonly variables: Readonly<Record<string, string>>;
  /** Folder of the user's Jupyter settings. */
  readonly settings: string;
}

/**
 * The Jupyter installation of the project at `root`, whether it exists or not.
 *
 * The variables keep everything that Jupyter reads and writes inside `.venv`, independent of the home
 * folder and its packages.
 */
export function resolveEnvironment(root: string): JupyterEnvironment {
  const folder = join(root, ".venv");
  const jupyterFolder = join(folder, "jupyter");
  const settings = join(jupyterFolder, "config");
  return {
    folder,
    settings,
    python: Deno.build.os === "windows"
      ? join(folder, "Scripts", "python.exe")
      : join(folder, "bin", "python"),
    variables: {
      VIRTUAL_ENV: folder,
      JUPYTER_CONFIG_DIR: settings,
      JUPYTER_DATA_DIR: join(jupyterFolder, "data"),
      JUPYTER_RUNTIME_DIR: join(jupyterFolder, "runtime"),
      JUPYTER_PATH: "",
      JUPYTER_CONFIG_PATH: "",
      JUPYTER_PLATFORM_DIRS: "0",
      JUPYTER_PREFER_ENV_PATH: "1",
      // IPython makes this folder, but not the one above: without that it leaves a temporary one.
      IPYTHONDIR: join(folder, "ipython"),
      PYTHONHOME: "",
      PYTHONPATH: "",
      PYTHONNOUSERSITE: "1",
      // Packages are installed uncompiled, and compiled on first use.
      PYTHONDONTWRITEBYTECODE: "",
      PYTHONUTF8: "1",
      PIP_USER: "0",
      PIP_DISABLE_PIP_VERSION_CHECK: "1",
      PIP_NO_INPUT: "1",
    },
  };
}
