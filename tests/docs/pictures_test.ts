import { assertEquals, assertExists } from "@std/assert";

const notebooks = new URL("../../notebooks/", import.meta.url);

interface Output {
  readonly data?: Readonly<Record<string, string | readonly string[]>>;
}

Deno.test("every gallery picture is the first one of its notebook", async () => {
  const pictures = await Array.fromAsync(Deno.readDir(new URL("pictures/", notebooks)));
  assertEquals(pictures.length > 0, true);
  for (const { name } of pictures) {
    const picture = await Deno.readTextFile(new URL(`pictures/${name}`, notebooks));
    const file = new URL(name.replace(/\.svg$/, ".ipynb"), notebooks);
    const { cells } = JSON.parse(await Deno.readTextFile(file)) as {
      cells: { outputs?: Output[] }[];
    };
    const first = cells.flatMap((cell) => cell.outputs ?? [])
      .map((output) => output.data?.["image/svg+xml"])
      .find((svg) => svg !== undefined);
    assertExists(first, `${name}: the notebook draws nothing`);
    assertEquals([first].flat().join(""), picture, name);
  }
});
