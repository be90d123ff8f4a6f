import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { dirname, join } from "node:path";
import { ensureJupyter } from "../../../tools/jupyter/ensure_jupyter.ts";
import { installPackages, parsePipStep } from "../../../tools/jupyter/install_packages.ts";
import { TaskError } from "../../../tools/terminal/task_error.ts";
import { SilentScreen } from "../silent_screen.ts";
import { withFiles, withFolder } from "../../sandbox/temp_folder.ts";
import { resolveEnvironment } from "../../../tools/jupyter/environment.ts";
import { findPython } from "../../../tools/jupyter/find_python.ts";
import { holdLock } from "../../../tools/jupyter/hold_lock.ts";
import { writeKernelSpec } from "../../../tools/jupyter/kernel_spec.ts";

/** Finds a Python without asking programs. */
const find = () => Promise.resolve({ path: "python3", version: "3.12.1" });

const REQUIREMENTS = { "requirements.txt": "one==1\n" };

/** Sets up a project, with an install of nothing but a program that says it is a Python. */
function projectIn(root: string) {
  let installs = 0;
  const screen = new SilentScreen();
  const install: typeof installPackages = async ({ environment: { python } }) => {
    installs++;
    await Deno.mkdir(dirname(python), { recursive: true });
    await Deno.writeTextFile(python, "#!/bin/sh\necho 3.12.1\n", { mode: 0o755 });
  };
  return {
    screen,
    install,
    /** How often something was installed. */
    count: () => installs,
    ensure: (by = install) => ensureJupyter({ root, find, install: by, screen }),
  };
}

Deno.test("ensureJupyter() sets up the running Deno as the kernel once, and again if the setup is incomplete", () =>
  withFiles(REQUIREMENTS, async (root) => {
    const { screen, count, ensure } = projectIn(root);
    const [{ python, folder }] = await Promise.all([ensure(), ensure()]);
    assertEquals([count(), screen.text], [1, ""], "the second one has nothing to do");
    const kernel = JSON.parse(await Deno.readTextFile(kernelSpecOf(folder)));
    assertEquals(kernel.argv[0], Deno.execPath());

    const changes: [what: string, change: () => Promise<void>][] = [
      ["without a stamp", () => Deno.remove(join(folder, "orderlens.json"))],
      ["with other requirements", () => Deno.writeTextFile(join(root, "requirements.txt"), "two")],
      ["without its Python", () => Deno.remove(python)],
    ];
    for (const [place, [what, change]] of changes.entries()) {
      await change();
      await ensure();
      assertEquals(count(), 2 + place, what);
    }
    const unfinished = ".venv is incomplete or out of date: recreating it\n";
    assertEquals(screen.text, unfinished.repeat(3));
    await ensure();
    assertEquals(count(), 4);
  }));

Deno.test("ensureJupyter() sets up again after a failed setup", () =>
  withFiles(REQUIREMENTS, async (root) => {
    const { count, install, ensure } = projectIn(root);
    const broken: typeof install = async (options) => {
      await install(options);
      throw new TaskError("no index");
    };
    await assertRejects(() => ensure(broken), TaskError);
    await ensure();
    assertEquals(count(), 2);
  }));

Deno.test("resolveEnvironment() keeps every folder of Jupyter inside .venv, and isolates the user's own Python", () => {
  const { python, settings, variables } = resolveEnvironment("/project");
  for (const name of ["CONFIG", "DATA", "RUNTIME"]) {
    assertMatch(variables[`JUPYTER_${name}_DIR`] ?? "", /^\/project\/\.venv\//);
  }
  assertMatch(variables.IPYTHONDIR ?? "", /^\/project\/\.venv\//);
  assertEquals(settings, variables.JUPYTER_CONFIG_DIR);
  assertMatch(python, /^\/project\/\.venv\//);
  assertEquals([variables.PYTHONPATH, variables.PYTHONHOME, variables.JUPYTER_PATH], ["", "", ""]);
  assertEquals(variables.PYTHONNOUSERSITE, "1");
});

const INSTALL =
  "install it (Debian, Ubuntu: apt install python3 python3-venv; macOS: brew install python; Windows: winget install Python.Python.3.13)";

/** Runs `check` with a PATH whose only folder holds programs that say they are these Pythons. */
async function withPythons(
  answers: Record<string, string>,
  check: (folder: string) => Promise<void>,
): Promise<void> {
  const programs = Object.entries(answers)
    .map(([name, answer]) => [name, `#!/bin/sh\n${answer}\n`]);
  await withFiles(Object.fromEntries(programs), check);
}

Deno.test("findPython() finds the Python of this machine", async () => {
  assertMatch((await findPython()).version, /^3\.[1-9][0-9]\.[0-9]+$/);
});

const NEEDED = "Jupyter needs Python 3.10 or newer, but ";
const OR = "or a Python from python.org";

/** What programs of a folder say, and what then stands in the way. */
const UNFIT: readonly (readonly [Record<string, string>, message: string])[] = [
  [{}, `${NEEDED}no Python is on the PATH: ${INSTALL}`],
  [{ python3: "python 3.9.18 " }, `${NEEDED}HERE/python3 is Python 3.9.18: ${INSTALL}`],
  [{ python: "python 2.7.18 venv,ensurepip" }, `${NEEDED}HERE/python is Python 2.7.18: ${INSTALL}`],
  [
    { python3: "python 3.11.2 ensurepip" },
    `Python 3.11.2 (HERE/python3) lacks ensurepip: install it (Debian, Ubuntu: apt install python3-venv), ${OR}`,
  ],
  [
    { python3: "python 3.11.2 venv,ensurepip" },
    `Python 3.11.2 (HERE/python3) lacks venv and ensurepip: install them (Debian, Ubuntu: apt install python3-venv), ${OR}`,
  ],
];

for (const [says, expected] of UNFIT) {
  Deno.test(`findPython() says in one line what to install, given ${JSON.stringify(says)}`, () => {
    const answers = Object.entries(says).map(([name, text]) => [name, `echo '${text}'`]);
    return withPythons(Object.fromEntries(answers), async (folder) => {
      const { message } = await assertRejects(() => findPython(folder), TaskError);
      assertEquals(message, expected.replace("HERE", folder));
    });
  });
}

Deno.test("findPython() skips unsuitable programs", () => {
  const answers = {
    "python3": "exit 127",
    "python": "echo 'python 3.9.18 '",
    "python3.13": "echo 'python 3.13.0 ensurepip'",
    "python3.12": "echo 'python 3.12.1 '",
  };
  return withPythons(answers, async (folder) => {
    const found = { path: join(folder, "python3.12"), version: "3.12.1" };
    assertEquals(await findPython(`/nowhere:${folder}`), found);
  });
});

Deno.test("holdLock() admits one process at a time, and reports when another must wait", async () => {
  const events: string[] = [];
  const waits = Promise.withResolvers<void>();
  const wait = () => {
    events.push("second waits");
    waits.resolve();
  };
  await withFolder(async (folder) => {
    const path = join(folder, "deep", "lock");
    const enter = async () => {
      using _lock = await holdLock(path, wait, { patienceMs: 20 });
      events.push("second in");
    };
    const first = await holdLock(path, () => events.push("first waits"));
    const second = enter();
    await waits.promise;
    events.push("first out");
    first[Symbol.dispose]();
    await second;
  });
  assertEquals(events, ["second waits", "first out", "second in"]);
});

/** Installs with a Python whose `venv` and whose `pip` are these shell commands. */
async function install(
  { venv = "exit 0", pip = "exit 0" }: { venv?: string; pip?: string },
  check: (installed: Promise<void>, screen: SilentScreen, root: string) => Promise<void>,
): Promise<void> {
  const made = `mkdir -p "$4/bin"; printf '#!/bin/sh\\n${pip}\\n' > "$4/bin/python"`;
  const program = `#!/bin/sh\n${made}; chmod +x "$4/bin/python"; ${venv}\n`;
  await withFiles({ python3: program }, async (root) => {
    const environment = resolveEnvironment(root);
    const python = { path: join(root, "python3"), version: "3.12.1" };
    const screen = new SilentScreen();
    await check(installPackages({ root, environment, python, screen }), screen, root);
  });
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

/** What cannot be done, and what is said of it. */
const BROKEN: readonly (readonly [Parameters<typeof install>[0], message: string])[] = [
  [
    { pip: "echo WARNING: retrying; echo ERROR: No matching distribution for x==1 >&2; exit 1" },
    "Cannot install Jupyter (ERROR: No matching distribution for x==1): check that the Python package index can be reached (pip's complete output is in build/set_up.log), then run this again",
  ],
  [
    { venv: "echo WARNING: retrying; echo Error: No space left on device >&2; exit 1" },
    "Cannot create .venv with HERE/python3 (Error: No space left on device): its complete output is in build/set_up.log",
  ],
];

Deno.test("installPackages() reports in one line why it cannot, and keeps what was said", async () => {
  for (const [broken, expected] of BROKEN) {
    await install(broken, async (installed, _screen, root) => {
      const { message } = await assertRejects(() => installed, TaskError);
      assertEquals(message, expected.replace("HERE", root));
      assertMatch(await Deno.readTextFile(join(root, "build", "set_up.log")), /WARNING: retrying/);
    });
  }
});

Deno.test("parsePipStep() describes the current step of pip, and ignores other lines", () => {
  const steps = [
    ["Collecting anyio==4.16.0 (from -r requirements.txt (line 8))", "looking up anyio==4.16.0"],
    ["  Downloading jupyterlab-4.6.6-py3-none-any.whl (12.4 MB)", "downloading jupyterlab-4.6.6"],
    [
      "  Using cached pyzmq-27.3.0-cp312-abi3-manylinux_2_26_x86_64.whl (840 kB)",
      "using cached pyzmq-27.3.0",
    ],
    ["Installing collected packages: webencodings, pyzmq, jupyterlab", "unpacking 3 packages"],
    ["Requirement already satisfied: six in .venv", undefined],
    ["WARNING: Retrying after connection broken", undefined],
  ] as const;
  assertEquals<unknown>(steps.map(([line]) => parsePipStep(line)), steps.map(([, step]) => step));
});

/** Where the specification of Deno's kernel is. */
function kernelSpecOf(folder: string): string {
  return join(folder, "share", "jupyter", "kernels", "deno", "kernel.json");
}

Deno.test("writeKernelSpec() names the running Deno, and keeps an up-to-date file", () =>
  withFolder(async (folder) => {
    const path = kernelSpecOf(folder);
    await writeKernelSpec(folder, "/old/deno");
    await Deno.utime(path, 0, 0);
    await writeKernelSpec(folder, "/old/deno");
    assertEquals((await Deno.stat(path)).mtime, new Date(0));
    await writeKernelSpec(folder, "/new/deno");
    assertEquals(JSON.parse(await Deno.readTextFile(path)), {
      argv: ["/new/deno", "jupyter", "--kernel", "--conn", "{connection_file}"],
      display_name: "Deno",
      language: "typescript",
      env: { NO_COLOR: "1" },
    });
    const names = (await Array.fromAsync(Deno.readDir(join(path, "..")))).map(({ name }) => name);
    assertEquals(names, ["kernel.json"]);
  }));
