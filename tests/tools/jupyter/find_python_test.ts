import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { join } from "node:path";
import { findPython } from "../../../tools/jupyter/find_python.ts";
import { TaskError } from "../../../tools/terminal/task_error.ts";

const INSTALL =
  "install it (Debian, Ubuntu: apt install python3 python3-venv; macOS: brew install python; Windows: winget install Python.Python.3.13)";

/** Runs `check` with a PATH whose only folder holds programs that say they are these Pythons. */
async function withPythons(
  answers: Record<string, string>,
  check: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    for (const [name, answer] of Object.entries(answers)) {
      const program = join(folder, name);
      await Deno.writeTextFile(program, `#!/bin/sh\n${answer}\n`);
      await Deno.chmod(program, 0o755);
    }
    await check(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function messageFor(path: string): Promise<string> {
  const { message } = await assertRejects(() => findPython(path), TaskError);
  assert(!message.includes("\n"), "the message must be one line");
  return message;
}

Deno.test("findPython() finds the Python of this machine", async () => {
  assertMatch((await findPython()).version, /^3\.[1-9][0-9]\.[0-9]+$/);
});

Deno.test("findPython() says what to install if there is no Python", async () => {
  await withPythons({}, async (folder) => {
    assertEquals(
      await messageFor(folder),
      `Jupyter needs Python 3.10 or newer, but no Python is on the PATH: ${INSTALL}`,
    );
  });
});

Deno.test("findPython() says what to install if Python is too old", async () => {
  await withPythons({ python3: "echo 'python 3.9.18 '" }, async (folder) => {
    assertEquals(
      await messageFor(folder),
      `Jupyter needs Python 3.10 or newer, but ${folder}/python3 is Python 3.9.18: ${INSTALL}`,
    );
  });
  await withPythons({ python: "echo 'python 2.7.18 venv,ensurepip'" }, async (folder) => {
    assertEquals(
      await messageFor(folder),
      `Jupyter needs Python 3.10 or newer, but ${folder}/python is Python 2.7.18: ${INSTALL}`,
    );
  });
});

Deno.test("findPython() says what to install if Python comes without venv", async () => {
  await withPythons({ python3: "echo 'python 3.11.2 ensurepip'" }, async (folder) => {
    assertEquals(
      await messageFor(folder),
      `Python 3.11.2 (${folder}/python3) lacks ensurepip: install it (Debian, Ubuntu: apt install python3-venv), or a Python from python.org`,
    );
  });
  await withPythons({ python3: "echo 'python 3.11.2 venv,ensurepip'" }, async (folder) => {
    assertMatch(await messageFor(folder), /lacks venv and ensurepip: install them \(/);
  });
});

Deno.test("findPython() skips unsuitable programs", async () => {
  const answers = {
    "python3": "exit 127",
    "python": "echo 'python 3.9.18 '",
    "python3.13": "echo 'python 3.13.0 ensurepip'",
    "python3.12": "echo 'python 3.12.1 '",
  };
  await withPythons(answers, async (folder) => {
    assertEquals(await findPython(`/nowhere:${folder}`), {
      path: join(folder, "python3.12"),
      version: "3.12.1",
    });
  });
});
