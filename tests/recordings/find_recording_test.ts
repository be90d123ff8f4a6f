import { assertEquals } from "@std/assert";
import { findRecording } from "../../lib/recordings/record.ts";
import { errorText, got, withFolder, writeRecording } from "../sandbox/temp_folder.ts";

const version = got("/api/v1/version", "1");

Deno.test("findRecording() takes a folder's files sorted by name, and its deployment file", async () => {
  await withFolder(async (folder) => {
    const inside = `${folder}/recordings`;
    await Deno.mkdir(`${inside}/more.ndjson`, { recursive: true });
    for (const name of ["b.ndjson.gz", "a.ndjson", "c.ndjson"]) {
      await writeRecording(`${inside}/${name}`, [version]);
    }
    await Deno.writeTextFile(`${inside}/README.md`, "");
    await Deno.writeTextFile(`${inside}/a.deployment.json`, "{}");
    const files = ["a.ndjson", "b.ndjson.gz", "c.ndjson"].map((name) => `${inside}/${name}`);
    const found = { name: "recordings", files, facts: `${inside}/a.deployment.json` };
    assertEquals(await findRecording(inside), found);
    assertEquals(await findRecording(`${inside}/`), found);
    const url = new URL(`file://${inside}`);
    assertEquals(`${(await findRecording(url)).files[1]}`, `file://${inside}/b.ndjson.gz`);
  });
});

Deno.test("findRecording() takes the deployment file next to a file", async () => {
  await withFolder(async (folder) => {
    const file = await writeRecording(`${folder}/my.recording.ndjson.gz`, [version]);
    assertEquals(await findRecording(file), { name: "my.recording", files: [file] });
    await Deno.writeTextFile(`${folder}/my.recording.deployment.json`, "{}");
    assertEquals(await findRecording(file), {
      name: "my.recording",
      files: [file],
      facts: `${folder}/my.recording.deployment.json`,
    });
  });
});

Deno.test("findRecording() lists the shipped recordings if there is none", async (t) => {
  await withFolder(async (folder) => {
    const names = ["market_2", `${folder}/market_1`, "market_1/", ""];
    const texts = [];
    for (const name of names) texts.push(await errorText(findRecording(name), folder));
    await t.assertSnapshot(texts.join("\n\n"));
  });
});

Deno.test("findRecording() rejects a folder without a recording, or with two deployments", async (t) => {
  await withFolder(async (folder) => {
    const texts = [await errorText(findRecording(folder), folder)];
    await Deno.writeTextFile(`${folder}/README.md`, "");
    texts.push(await errorText(findRecording(folder), folder));
    await writeRecording(`${folder}/a.ndjson`, [version]);
    await Deno.writeTextFile(`${folder}/a.deployment.json`, "{}");
    await Deno.writeTextFile(`${folder}/b.deployment.json`, "{}");
    texts.push(await errorText(findRecording(folder), folder));
    await t.assertSnapshot(texts.join("\n\n"));
  });
});
