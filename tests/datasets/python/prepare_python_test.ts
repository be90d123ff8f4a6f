import { InputError } from "orderlens";
import { preparePython, preparingProgram } from "../../../lib/datasets/python/prepare_python.ts";
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { inFolder, withFolder } from "../../sandbox/temp_folder.ts";

/** Nothing is installed but Python itself. */
const EMPTY = {
  name: "spark",
  what: "Spark",
  size: "about 500 MB",
  needsJava: true,
  requirements: "",
  buildRequirements: "",
};
/** Every installation fails in it, without the seconds that making a pip takes. */
const WITHOUT_PIP = (await preparingProgram()).replace("[] if any(requests.values()) else ", "");

/** A Java of some version, as a program that says so. */
async function withJava(version: string, use: () => Promise<void>): Promise<void> {
  await withFolder(async (home) => {
    await Deno.mkdir(`${home}/bin`);
    await Deno.writeTextFile(
      `${home}/bin/java`,
      `#!/bin/sh\necho 'openjdk version "${version}"' >&2\n`,
      { mode: 0o755 },
    );
    await withVariable("JAVA_HOME", home, use);
  });
}

async function withVariable(name: string, value: string, use: () => Promise<void>): Promise<void> {
  const before = Deno.env.get(name);
  Deno.env.set(name, value);
  try {
    await use();
  } finally {
    if (before === undefined) Deno.env.delete(name);
    else Deno.env.set(name, before);
  }
}

inFolder.test("without Java, or with an old one, the version that is needed is named", async (cacheFolder) => {
  for (const version of ["11.0.2", "1.8.0_392"]) {
    await withJava(version, async () => {
      const error = await assertRejects(() => preparePython(EMPTY, { cacheFolder }), InputError);
      assertStringIncludes(error.message, "Java 17 or newer");
      assertStringIncludes(error.message, `is Java ${version}`);
      assertStringIncludes(error.message, "apt install openjdk-17-jdk-headless");
    });
  }
  await withVariable("JAVA_HOME", `${cacheFolder}/none`, async () => {
    await assertRejects(() => preparePython(EMPTY, { cacheFolder }), InputError, "does not run");
  });
  assertEquals([...Deno.readDirSync(cacheFolder)], []);
});

inFolder.test("without Python, the version that is needed is named", async (cacheFolder) => {
  await withVariable("PATH", cacheFolder, async () => {
    const error = await assertRejects(() => preparePython(EMPTY, { cacheFolder }), InputError);
    assertStringIncludes(error.message, "Python 3.11 or newer");
    assertStringIncludes(error.message, "apt install python3");
  });
});

Deno.test({
  name: "calls at the same time install once, and what was interrupted is installed again",
  ignore: Deno.build.os === "windows",
  fn: () =>
    withJava("17.0.1", async () => {
      await withFolder(async (cacheFolder) => {
        const said: string[] = [];
        const prepare = () =>
          preparePython(EMPTY, {
            cacheFolder,
            onStep: (text) => said.push(text),
          });
        const both = await Promise.all([prepare(), prepare()]);
        assertEquals(both[0], both[1]);
        assertEquals(both[0].java, "17.0.1");
        const installs = () => said.filter((text) => text.includes("about 500 MB")).length;
        assertEquals(installs(), 1);
        await prepare();
        assertEquals(installs(), 1);
        const folder = both[0].python.replace("/bin/python", "");
        await Deno.remove(`${folder}/complete.json`);
        await Deno.remove(`${folder}/bin/python`);
        assertEquals(await prepare(), both[0]);
        assertEquals(installs(), 2);
      });
    }),
});

Deno.test("packages that cannot be installed are an error, and leave nothing that counts as complete", async () => {
  await withJava("21.0.1", async () => {
    await withFolder(async (cacheFolder) => {
      const wrong = {
        ...EMPTY,
        requirements: `${cacheFolder}/none.whl --hash=sha256:00\n`,
      };
      const error = await assertRejects(
        () => preparePython(wrong, { cacheFolder, program: WITHOUT_PIP }),
        InputError,
      );
      assertStringIncludes(error.message, "packages cannot be installed");
      const names = [...Deno.readDirSync(`${cacheFolder}`)].filter((one) => one.isDirectory);
      const inside = [...Deno.readDirSync(`${cacheFolder}/${names[0]!.name}`)];
      assertEquals(inside.some(({ name }) => name === "complete.json"), false);
    });
  });
});
