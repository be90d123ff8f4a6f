import { assertEquals, assertRejects } from "@std/assert";
import { dirname, join } from "node:path";
import { ensureJupyter } from "../../../tools/jupyter/ensure_jupyter.ts";
import type { installPackages } from "../../../tools/jupyter/install_packages.ts";
import { TaskError } from "../../../tools/terminal/task_error.ts";
import { SilentScreen } from "../silent_screen.ts";

async function withProject(check: (root: string) => Promise<void>): Promise<void> {
  const root = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(join(root, "requirements.txt"), "one==1\n");
    await check(root);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

/** Finds a Python without asking programs. */
const find = () => Promise.resolve({ path: "python3", version: "3.12.1" });

/** Installs nothing but a program that says it is a Python, and counts how often. */
function countingInstall(): { install: typeof installPackages; count: () => number } {
  let installs = 0;
  return {
    count: () => installs,
    install: async ({ environment: { python } }) => {
      installs++;
      await new Promise((resolve) => setTimeout(resolve, 50));
      await Deno.mkdir(dirname(python), { recursive: true });
      await Deno.writeTextFile(python, "#!/bin/sh\necho 3.12.1\n", { mode: 0o755 });
    },
  };
}

Deno.test("ensureJupyter() sets up once, and again if the setup is incomplete", async () => {
  await withProject(async (root) => {
    const { install, count } = countingInstall();
    const screen = new SilentScreen();
    const environment = await ensureJupyter({ root, find, install, screen });
    await ensureJupyter({ root, find, install, screen });
    assertEquals([count(), screen.text], [1, ""], "a second run has nothing to do");

    await Deno.remove(join(root, ".venv", "orderlens.json"));
    await ensureJupyter({ root, find, install, screen });
    assertEquals(count(), 2, "without a stamp");

    await Deno.writeTextFile(join(root, "requirements.txt"), "one==2\n");
    await ensureJupyter({ root, find, install, screen });
    assertEquals(count(), 3, "with other requirements");

    await Deno.remove(environment.python);
    await ensureJupyter({ root, find, install, screen });
    assertEquals(count(), 4, "without its Python");

    const unfinished = ".venv is incomplete or out of date: recreating it\n";
    assertEquals(screen.text, unfinished.repeat(3));
    await ensureJupyter({ root, find, install, screen });
    assertEquals(count(), 4);
  });
});

Deno.test("ensureJupyter() sets up again after a failed setup", async () => {
  await withProject(async (root) => {
    const { install, count } = countingInstall();
    const screen = new SilentScreen();
    const broken: typeof installPackages = async (options) => {
      await install(options);
      throw new TaskError("no index");
    };
    await assertRejects(() => ensureJupyter({ root, find, install: broken, screen }), TaskError);
    await ensureJupyter({ root, find, install, screen });
    assertEquals(count(), 2);
  });
});

Deno.test("ensureJupyter() sets up once for concurrent calls", async () => {
  await withProject(async (root) => {
    const { install, count } = countingInstall();
    const screen = new SilentScreen();
    await Promise.all([
      ensureJupyter({ root, find, install, screen }),
      ensureJupyter({ root, find, install, screen }),
    ]);
    assertEquals(count(), 1);
  });
});

Deno.test("ensureJupyter() configures the running Deno as the kernel", async () => {
  await withProject(async (root) => {
    const { install } = countingInstall();
    const { folder } = await ensureJupyter({ root, find, install, screen: new SilentScreen() });
    const path = join(folder, "share", "jupyter", "kernels", "deno", "kernel.json");
    assertEquals(JSON.parse(await Deno.readTextFile(path)).argv[0], Deno.execPath());
  });
});
