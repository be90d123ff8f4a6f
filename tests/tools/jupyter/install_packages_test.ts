import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { join } from "node:path";
import { jupyterEnvironment } from "../../../tools/jupyter/environment.ts";
import { installPackages, pipStep } from "../../../tools/jupyter/install_packages.ts";
import { TaskError } from "../../../tools/terminal/task_error.ts";
import { SilentScreen } from "../silent_screen.ts";

/** Installs with a Python whose `venv` and whose `pip` are these shell commands. */
async function install(
  { venv = "exit 0", pip = "exit 0" }: { venv?: string; pip?: string },
  check: (installed: Promise<void>, screen: SilentScreen, root: string) => Promise<void>,
): Promise<void> {
  const root = await Deno.makeTempDir();
  const environment = jupyterEnvironment(root);
  const python = { path: join(root, "python3"), version: "3.12.1" };
  const screen = new SilentScreen();
  const made = `mkdir -p "$4/bin"; printf '#!/bin/sh\\n${pip}\\n' > "$4/bin/python"`;
  try {
    await Deno.writeTextFile(
      python.path,
      `#!/bin/sh\n${made}; chmod +x "$4/bin/python"; ${venv}\n`,
      { mode: 0o755 },
    );
    await check(installPackages({ root, environment, python, screen }), screen, root);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

Deno.test("installPackages() reports each step and its duration", async () => {
  await install({}, async (installed, screen) => {
    await installed;
    assertMatch(
      screen.text,
      /^Setting up Jupyter in \.venv with Python 3\.12\.1, once \(0\.0 s\)\nInstalled Jupyter into \.venv with Python 3\.12\.1 in [0-9.]+ s\n$/,
    );
  });
});

Deno.test("installPackages() reports in one line why packages cannot be installed", async () => {
  const pip = "echo WARNING: retrying; echo ERROR: No matching distribution for x==1 >&2; exit 1";
  await install({ pip }, async (installed, _screen, root) => {
    const { message } = await assertRejects(() => installed, TaskError);
    assertEquals(
      message,
      "Cannot install Jupyter (ERROR: No matching distribution for x==1): check that the Python package index can be reached (pip's complete output is in build/set_up.log), then run this again",
    );
    assertMatch(await Deno.readTextFile(join(root, "build", "set_up.log")), /WARNING: retrying/);
  });
});

Deno.test("installPackages() reports in one line why there is no virtual environment", async () => {
  const venv = "echo Error: No space left on device >&2; exit 1";
  await install({ venv }, async (installed, _screen, root) => {
    const { message } = await assertRejects(() => installed, TaskError);
    assertEquals(
      message,
      `Cannot create .venv with ${root}/python3 (Error: No space left on device): its complete output is in build/set_up.log`,
    );
  });
});

Deno.test("pipStep() describes the current step of pip", () => {
  assertEquals(
    pipStep("Collecting anyio==4.16.0 (from -r requirements.txt (line 8))"),
    "looking up anyio==4.16.0",
  );
  assertEquals(
    pipStep("  Downloading jupyterlab-4.6.6-py3-none-any.whl (12.4 MB)"),
    "downloading jupyterlab-4.6.6",
  );
  assertEquals(
    pipStep("  Using cached pyzmq-27.3.0-cp312-abi3-manylinux_2_26_x86_64.whl (840 kB)"),
    "using cached pyzmq-27.3.0",
  );
  assertEquals(
    pipStep("Installing collected packages: webencodings, pyzmq, jupyterlab"),
    "unpacking 3 packages",
  );
});

Deno.test("pipStep() ignores other lines", () => {
  assertEquals(pipStep("Requirement already satisfied: six in .venv"), undefined);
  assertEquals(pipStep("WARNING: Retrying after connection broken"), undefined);
});
