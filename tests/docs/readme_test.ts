import { assertEquals, assertExists } from "@std/assert";

const root = new URL("../../", import.meta.url);

Deno.test("the README's block prints what the README shows", async () => {
  const readme = await Deno.readTextFile(new URL("README.md", root));
  const match = readme.match(/```ts\n([^]*?)```\n\n```text\n([^]*?)```/);
  assertExists(match, "a ts block followed by a text block");
  const [, program, expected] = match;
  const build = new URL("build/", root).pathname;
  await Deno.mkdir(build, { recursive: true });
  const file = await Deno.makeTempFile({ dir: build, prefix: "readme_", suffix: ".ts" });
  try {
    await Deno.writeTextFile(file, program!);
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--quiet", file],
      cwd: root.pathname,
    }).output();
    assertEquals(new TextDecoder().decode(stderr), "");
    assertEquals(new TextDecoder().decode(stdout), expected);
  } finally {
    await Deno.remove(file);
  }
});
