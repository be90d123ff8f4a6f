import { dirname, join } from "node:path";

/** Writes a project of its own into a new folder, which the caller removes. */
export async function sampleProject(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await Deno.realPath(await Deno.makeTempDir());
  const settings = JSON.stringify({ name: "sample", exports: "./lib/mod.ts", lock: false });
  for (const [path, text] of Object.entries({ "deno.json": settings, ...files })) {
    const file = join(root, path);
    await Deno.mkdir(dirname(file), { recursive: true });
    await Deno.writeTextFile(file, text);
  }
  return root;
}

/** Documentation of `declared` with an example of these lines; its fence is on line `line`. */
export function documented(declared: string, line: number, ...code: string[]): string {
  const lines = ["```ts", ...code, "```"].map((each) => ` * ${each}`.trimEnd());
  return ["/**", ...Array(line - 2).fill(" *"), ...lines, " */", declared, ""].join("\n");
}
