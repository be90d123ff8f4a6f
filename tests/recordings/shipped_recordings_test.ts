import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import { shippedRecordings } from "../../lib/recordings/mod.ts";
import { shippedRecording } from "../../lib/recordings/shipped_recordings.ts";
import { readRecording } from "../../lib/recordings/recording.ts";

const data = new URL("../../data/", import.meta.url);
const mostBytes = 12_000_000;

async function sizeOf(folder: URL): Promise<number> {
  let size = 0;
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    size += isDirectory
      ? await sizeOf(new URL(`${name}/`, folder))
      : (await Deno.stat(new URL(name, folder))).size;
  }
  return size;
}

Deno.test("shippedRecordings() lists the files of data/recorded, and those with a deployment file", async () => {
  const files = (await Array.fromAsync(Deno.readDir(new URL("recorded/", data))))
    .map(({ name }) => name);
  const ending = (end: string) =>
    files.filter((name) => name.endsWith(end)).map((name) => name.slice(0, -end.length)).sort();

  const names = await shippedRecordings();
  assertEquals(names, ending(".ndjson.gz"));
  assertEquals(
    names.filter((name) => shippedRecording(name)?.facts !== undefined),
    ending(".deployment.json"),
  );
});

Deno.test("data/ stays under 12 MB", async () => {
  assertLessOrEqual(await sizeOf(data), mostBytes);
});

Deno.test("data/README.md names every recording with its number of exchanges", async () => {
  const readme = await Deno.readTextFile(new URL("README.md", data));
  for (const name of await shippedRecordings()) {
    const { length } = await readRecording(new URL(`recorded/${name}.ndjson.gz`, data));
    const count = length.toLocaleString("en-US");
    const section = readme.split(`### recorded/${name}.ndjson.gz`)[1]?.split("\n### ")[0] ?? "";
    assert(
      readme.includes(`| \`${name}\` | ${count} |`) ||
        new RegExp(`(^|[^\\d,])${count}\\b`, "m").test(section),
      `${name}: ${count} exchanges`,
    );
  }
});

Deno.test("data/recorded is packed reproducibly: without name and time", async () => {
  for (const name of await shippedRecordings()) {
    const header = (await Deno.readFile(new URL(`recorded/${name}.ndjson.gz`, data))).slice(3, 8);
    assertEquals([...header], [0, 0, 0, 0, 0], name);
  }
});
