import { assertEquals } from "@std/assert";
import {
  AnswerFile,
  competitionGroup,
  orderGroup,
  RecentLines,
} from "../../lib/datasets/reading/answer_file.ts";
import { packLines } from "../../lib/datasets/layout/folders.ts";
import { printExchange } from "../../lib/recordings/request_key.ts";
import { inFolder } from "../sandbox/temp_folder.ts";
import { unpackZstd } from "../../lib/http/read_body.ts";

const IDS = Array.from({ length: 40 }, (_, place) => 7 + place);

/** 40 competitions, then an order whose UID stands in its body with text that looks like a field. */
async function* lines() {
  const encoder = new TextEncoder();
  const shared = { method: "GET", status: 200, contentType: "application/json" };
  for (const id of IDS) {
    const path = `/api/v2/solver_competition/${id}`;
    const responseBody = `{"auctionId":${id},"text":"${"x".repeat(500)}"}`;
    yield encoder.encode(printExchange({ ...shared, path, responseBody }));
  }
  yield encoder.encode(printExchange({
    method: "POST",
    path: "/api/v1/orders/by_uids",
    requestBody: JSON.stringify([`0x${"AB".repeat(56)}`]),
    status: 200,
    contentType: "application/json",
    responseBody: '[{"order":{"note":",\\"responseBody\\":"}}]',
  }));
  const path = `/api/v2/solver_competition/by_tx_hash/0x${"cd".repeat(32)}`;
  yield encoder.encode(printExchange({ ...shared, path, responseBody: '{"auctionId":99}' }));
}

inFolder.test("answers are read in any order, while memory holds no more than its room", async (folder) => {
  const path = `${folder}/answers.ndjson.zst`;
  await packLines(path, lines());
  const recent = new RecentLines(2_000);
  const file = new AnswerFile(path, recent);
  for (const id of [...IDS, ...IDS.slice(-3).reverse(), 7, 30, 8]) {
    const [exchange] = await file.exchanges(competitionGroup(id));
    assertEquals(JSON.parse(exchange!.responseBody).auctionId, id);
    assertEquals(recent.bytes <= 2_000, true);
  }
  const several = IDS.map((id) => file.exchanges(competitionGroup(id)));
  const ids = (await Promise.all(several)).map(([one]) => JSON.parse(one!.responseBody).auctionId);
  assertEquals(ids, IDS);
  const [order] = await file.exchanges(orderGroup(`0x${"ab".repeat(56)}`));
  assertEquals(order?.responseBody, '[{"order":{"note":",\\"responseBody\\":"}}]');
  assertEquals((await file.exchanges(competitionGroup(99))).length, 1);
  assertEquals(await file.exchanges(competitionGroup(1)), []);
  await file.close();
});

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

inFolder.test("packLines() gives the same bytes, however lines arrive, and all of them", async (folder) => {
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
