import { assertEquals } from "@std/assert";

interface Graph {
  readonly roots: readonly string[];
  readonly modules: readonly {
    readonly specifier: string;
    readonly dependencies?: readonly {
      readonly isDynamic?: boolean;
      readonly code?: { readonly specifier: string };
    }[];
  }[];
}

/** Modules that importing a file loads at once. */
async function loadedBy(path: string): Promise<string[]> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", path],
    cwd: new URL("../../../", import.meta.url),
  }).output();
  const { roots, modules }: Graph = JSON.parse(new TextDecoder().decode(stdout));
  const byName = new Map(modules.map((module) => [module.specifier, module]));
  const loaded = new Set(roots);
  for (const name of loaded) {
    for (const { isDynamic, code } of byName.get(name)?.dependencies ?? []) {
      if (isDynamic !== true && code !== undefined) loaded.add(code.specifier);
    }
  }
  return [...loaded];
}

Deno.test("importing reports loads what writes text, and neither charts nor polars", async () => {
  const loaded = await loadedBy("lib/reports/mod.ts");
  const heavy = /charts\/mod\.ts$|plot|linkedom|polars|resvg/;
  assertEquals(loaded.filter((name) => heavy.test(name)), []);
  assertEquals(loaded.some((name) => name.endsWith("lib/reports/page/text_page.ts")), true);
});
