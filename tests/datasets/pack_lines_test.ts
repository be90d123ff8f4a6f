import { assertEquals } from "@std/assert";
import { packLines } from "../../lib/datasets/layout/folders.ts";
import { unpackZstd } from "../../lib/http/read_body.ts";
import { withFolder } from "../sandbox/temp_folder.ts";

const LINES = Array.from(
  { length: 400 },
  (_, line) => `${`${line * 7919 % 1009} `.repeat(line * 37 % 900)}\n`,
);

/** The lines, which arrive at once, or each after some turns of the event loop. */
async function* arriving(turns: (line: number) => number): AsyncGenerator<Uint8Array> {
  for (const [index, line] of LINES.entries()) {
    for (let turn = 0; turn < turns(index); turn++) {
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    yield new TextEncoder().encode(line);
  }
}

Deno.test("packLines() gives the same bytes, however lines arrive, and all of them", async () => {
  await withFolder(async (folder) => {
    const packed: Uint8Array[] = [];
    for (
      const turns of [() => 0, (line: number) => line % 3, (line: number) => line > 398 ? 9 : 0]
    ) {
      await packLines(`${folder}/lines.zst`, arriving(turns));
      packed.push(await Deno.readFile(`${folder}/lines.zst`));
    }
    assertEquals(packed[1], packed[0]);
    assertEquals(packed[2], packed[0]);
    const text = new TextDecoder();
    let unpacked = "";
    for await (const chunk of unpackZstd(packed[0]!)) {
      unpacked += text.decode(chunk, { stream: true });
    }
    assertEquals(unpacked, LINES.join(""));
  });
});
