import { gzipSync, zstdCompressSync } from "node:zlib";
import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { InputError } from "../../lib/errors/mod.ts";
import { computeUnpackedLimit, requireLineLength } from "../../lib/http/read_body.ts";
import { readRecording } from "../../lib/recordings/recording.ts";
import { errorText, got, inFolder, writeRecording } from "../sandbox/temp_folder.ts";
import { findRecording } from "../../lib/recordings/record.ts";

const version = got("/api/v1/version", "1");
const line = JSON.stringify(version);

async function readText(folder: string, text: string): Promise<readonly object[]> {
  const file = `${folder}/recording.ndjson`;
  await Deno.writeTextFile(file, text);
  return await readRecording(file);
}

inFolder.test("readRecording() reads plain and packed files whatever their names, with text that is split between chunks", async (folder) => {
  const exchange = { ...version, responseBody: "€".repeat(400_000) };
  const plain = new TextEncoder().encode(`${JSON.stringify(exchange)}\n`);
  const file = `${folder}/recording.gz`;
  for (const bytes of [plain, gzipSync(plain), zstdCompressSync(plain)]) {
    await Deno.writeFile(file, bytes);
    assertEquals(await readRecording(file), [exchange]);
  }
});

inFolder.test("readRecording() skips empty lines and an incomplete last exchange, and needs no newline at the end", async (folder) => {
  assertEquals(await readText(folder, `\n${line}\r\n\n${line}`), [version, version]);
  assertEquals(await readText(folder, `${line}\n${line.slice(0, 40)}`), [version]);
});

inFolder.test(
  "readRecording() names file, line, the content found and the form expected",
  async (folder, t) => {
    const wrong = [
      "not json",
      "[1]",
      '{"method":7}',
      '{"method":"GET","path":"api"}',
      `{"method":"POST","path":"/a","requestBody":{}}`,
      `{"method":"GET","path":"/a","status":"200"}`,
      `{"method":"GET","path":"/a","status":200}`,
      `{"method":"GET","path":"/a","status":200,"contentType":null,"responseBody":{"a":"${
        "b".repeat(90)
      }"}}`,
    ];
    const texts = await Array.fromAsync(
      wrong,
      (text) => errorText(readText(folder, `${line}\n\n${text}\n`), folder),
    );
    await t.assertSnapshot(texts.join("\n\n"));
  },
);

inFolder.test("readRecording() reports a truncated gzip file", async (folder, t) => {
  const whole = await Deno.readFile(
    new URL("../../data/recorded/edges.ndjson.gz", import.meta.url),
  );
  const file = `${folder}/cut.ndjson.gz`;
  await Deno.writeFile(file, whole.subarray(0, whole.length / 2));
  const text = await errorText(readRecording(file), folder);
  await t.assertSnapshot(text.replace(/lines read: \d+/, "lines read: N"));
});

inFolder.test("readRecording() counts the line that is no UTF-8 among those read", async (folder) => {
  const file = `${folder}/recording.ndjson`;
  await Deno.writeFile(file, Uint8Array.of(...new TextEncoder().encode(`${line}\n`), 0xff, 0x0a));
  assertStringIncludes(await errorText(readRecording(file), folder), "lines read: 2\n");
});

inFolder.test("readRecording() refuses files that stand for more than they may", async (folder) => {
  const file = `${folder}/bomb.ndjson.gz`;
  const bombs = [
    [zstdCompressSync(new Uint8Array(2 ** 26 + 1)), undefined],
    [gzipSync(new Uint8Array(2 ** 20 + 1)), 2 ** 20],
  ] as const;
  for (const [bomb, mostBytes] of bombs) {
    await Deno.writeFile(file, bomb);
    const reading = () => readRecording(file, { mostBytes });
    const { remedy } = await assertRejects(reading, InputError, "unpacks to more than");
    assertStringIncludes(remedy, "mostBytes");
  }
  // Whatever the size of the file: no line is as long as a text may be, and no file stands for all.
  requireLineLength(2 ** 28);
  const tooLong = () => requireLineLength(2 ** 28 + 1);
  assertThrows(tooLong, TypeError, "a line of more than 268,435,456 bytes");
  assertEquals(computeUnpackedLimit(2 ** 30), 2 ** 34);
});

inFolder.test("findRecording() takes a folder's files sorted by name, and its deployment file", async (folder) => {
  const inside = `${folder}/recordings`;
  await Deno.mkdir(`${inside}/more.ndjson`, { recursive: true });
  for (const name of ["b.ndjson.gz", "a.ndjson", "c.ndjson"]) {
    await writeRecording(`${inside}/${name}`, [version]);
  }
  await Deno.writeTextFile(`${inside}/README.md`, "");
  await Deno.writeTextFile(`${inside}/a.deployment.json`, "{}");
  const files = ["a.ndjson", "b.ndjson.gz", "c.ndjson"].map((name) => `${inside}/${name}`);
  const found = { name: "recordings", files, facts: `${inside}/a.deployment.json`, chains: [] };
  assertEquals(await findRecording(inside), found);
  assertEquals(await findRecording(`${inside}/`), found);
  const url = new URL(`file://${inside}`);
  assertEquals(`${(await findRecording(url)).files[1]}`, `file://${inside}/b.ndjson.gz`);
});

inFolder.test("findRecording() takes the deployment file next to a file", async (folder) => {
  const file = await writeRecording(`${folder}/my.recording.ndjson.gz`, [version]);
  const found = { name: "my.recording", files: [file], facts: undefined, chains: [] };
  assertEquals(await findRecording(file), found);
  const facts = `${folder}/my.recording.deployment.json`;
  await Deno.writeTextFile(facts, "{}");
  assertEquals(await findRecording(file), { ...found, facts });
});

inFolder.test(
  "findRecording() lists the shipped recordings if there is none",
  async (folder, t) => {
    const names = ["market_2", `${folder}/market_1`, "market_1/", ""];
    const texts = await Array.fromAsync(names, (name) => errorText(findRecording(name), folder));
    await t.assertSnapshot(texts.join("\n\n"));
  },
);

inFolder.test(
  "findRecording() rejects a folder without a recording, or with two deployments",
  async (folder, t) => {
    const texts = [await errorText(findRecording(folder), folder)];
    await Deno.writeTextFile(`${folder}/README.md`, "");
    texts.push(await errorText(findRecording(folder), folder));
    await writeRecording(`${folder}/a.ndjson`, [version]);
    await Deno.writeTextFile(`${folder}/a.deployment.json`, "{}");
    await Deno.writeTextFile(`${folder}/b.deployment.json`, "{}");
    texts.push(await errorText(findRecording(folder), folder));
    await t.assertSnapshot(texts.join("\n\n"));
  },
);
