import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { InputError } from "../../lib/errors/mod.ts";
import { mostUnpacked, requireLine } from "../../lib/http/read_body.ts";
import { readRecording } from "../../lib/recordings/recording.ts";
import { errorText, got, withFolder, writeRecording } from "../sandbox/temp_folder.ts";

const version = got("/api/v1/version", "1");
const line = JSON.stringify(version);

async function readText(folder: string, text: string): Promise<readonly object[]> {
  const file = `${folder}/recording.ndjson`;
  await Deno.writeTextFile(file, text);
  return await readRecording(file);
}

Deno.test("readRecording() reads plain and gzipped files, regardless of their names", async () => {
  await withFolder(async (folder) => {
    const plain = await writeRecording(`${folder}/plain.gz`, [version, version]);
    const zipped = `${folder}/zipped.ndjson`;
    const stream = (await Deno.open(plain)).readable.pipeThrough(new CompressionStream("gzip"));
    await Deno.writeFile(zipped, stream);
    assertEquals(await readRecording(plain), await readRecording(zipped));
    assertEquals((await readRecording(zipped)).length, 2);
  });
});

Deno.test("readRecording() keeps non-ASCII text that is split between chunks", async () => {
  await withFolder(async (folder) => {
    const responseBody = "€".repeat(100_000);
    const file = await writeRecording(`${folder}/recording.ndjson`, [{ ...version, responseBody }]);
    assertEquals((await readRecording(file)).map((each) => each.responseBody), [responseBody]);
  });
});

Deno.test("readRecording() skips empty lines and reads a last line without a newline", async () => {
  await withFolder(async (folder) => {
    assertEquals(await readText(folder, `\n${line}\r\n\n${line}`), [version, version]);
  });
});

Deno.test("readRecording() skips an incomplete last exchange", async () => {
  await withFolder(async (folder) => {
    assertEquals(await readText(folder, `${line}\n${line.slice(0, 40)}`), [version]);
  });
});

Deno.test("readRecording() rejects an incomplete exchange before the last line", async () => {
  await withFolder(async (folder) => {
    const text = `${line}\n${line.slice(0, 40)}\n${line}\n`;
    const error = await assertRejects(() => readText(folder, text), InputError);
    assertEquals(
      error.message.split("\n")[0],
      `Cannot read the recording at ${folder}/recording.ndjson:2: the line is not an exchange`,
    );
  });
});

Deno.test("readRecording() names file, line, the content found and the form expected", async (t) => {
  await withFolder(async (folder) => {
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
    const texts = [];
    for (const text of wrong) {
      texts.push(await errorText(readText(folder, `${line}\n\n${text}\n`), folder));
    }
    await t.assertSnapshot(texts.join("\n\n"));
  });
});

Deno.test("readRecording() reports a truncated gzip file", async (t) => {
  await withFolder(async (folder) => {
    const whole = await Deno.readFile(
      new URL("../../data/recorded/edges.ndjson.gz", import.meta.url),
    );
    const file = `${folder}/cut.ndjson.gz`;
    await Deno.writeFile(file, whole.subarray(0, whole.length / 2));
    const text = await errorText(readRecording(file), folder);
    await t.assertSnapshot(text.replace(/lines read: \d+/, "lines read: N"));
  });
});

Deno.test("readRecording() refuses files that stand for more than they may", async () => {
  const folder = await Deno.makeTempDir();
  const file = `${folder}/bomb.ndjson.gz`;
  const stream = ReadableStream.from(function* () {
    for (let chunk = 0; chunk < 80; chunk++) yield new Uint8Array(1 << 20);
  }()).pipeThrough(new CompressionStream("gzip"));
  await Deno.writeFile(file, stream);
  const error = await assertRejects(
    () => readRecording(file),
    InputError,
    "stands for more than",
  );
  assertStringIncludes(error.remedy, "mostBytes");
  // Whatever the size of the file: no line is as long as a text may be, and no file stands for all.
  requireLine(2 ** 28);
  assertThrows(() => requireLine(2 ** 28 + 1), TypeError, "a line of more than 268,435,456 bytes");
  assertEquals(mostUnpacked(2 ** 30), 2 ** 34);
  await Deno.remove(folder, { recursive: true });
});
