import { assertEquals, assertStringIncludes } from "@std/assert";

const PROJECT = new URL("../../", import.meta.url);

/** Runs `deno lint` on a project of one file, with the plugin as the house registers it. */
async function lintAlone(path: string, source: string): Promise<{ code: number; text: string }> {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${folder}/tools/lint`, { recursive: true });
    for await (const { name } of Deno.readDir(new URL("tools/lint/", PROJECT))) {
      await Deno.copyFile(new URL(`tools/lint/${name}`, PROJECT), `${folder}/tools/lint/${name}`);
    }
    await Deno.mkdir(`${folder}/${path.slice(0, path.lastIndexOf("/"))}`, { recursive: true });
    await Deno.writeTextFile(`${folder}/${path}`, source);
    await Deno.writeTextFile(
      `${folder}/deno.json`,
      JSON.stringify({ lint: { plugins: ["./tools/lint/rooms_plugin.ts"] } }),
    );
    const command = new Deno.Command(Deno.execPath(), {
      args: ["lint", "lib"],
      cwd: folder,
      env: { NO_COLOR: "1" },
    });
    const { code, stdout, stderr } = await command.output();
    const decoder = new TextDecoder();
    return { code, text: decoder.decode(stdout) + decoder.decode(stderr) };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("deno lint rejects an import of a later room", async () => {
  const { code, text } = await lintAlone(
    "lib/units/divide.ts",
    `export { slippage } from "../metrics/slippage.ts";\n`,
  );
  assertEquals(code, 1);
  assertStringIncludes(text, "error[rooms/imports]: lib/units/ imports lib/metrics/");
});

Deno.test("deno lint accepts an import of an earlier room", async () => {
  const { code } = await lintAlone(
    "lib/metrics/slippage/slippage.ts",
    `export { divide } from "../../units/divide.ts";\n`,
  );
  assertEquals(code, 0);
});

Deno.test("deno.json registers the plugin", async () => {
  const text = await Deno.readTextFile(new URL("deno.json", PROJECT));
  assertEquals(JSON.parse(text).lint.plugins, ["./tools/lint/rooms_plugin.ts"]);
});
