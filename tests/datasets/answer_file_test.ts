import { assertEquals } from "@std/assert";
import {
  AnswerFile,
  competitionGroup,
  orderGroup,
  RecentLines,
} from "../../lib/datasets/reading/answer_file.ts";
import { packLines } from "../../lib/datasets/layout/folders.ts";
import { printExchange } from "../../lib/recordings/request_key.ts";
import { withFolder } from "../sandbox/temp_folder.ts";

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

Deno.test("answers are read in any order, while memory holds no more than its room", async () => {
  await withFolder(async (folder) => {
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
    const ids = (await Promise.all(several)).map(([one]) =>
      JSON.parse(one!.responseBody).auctionId
    );
    assertEquals(ids, IDS);
    const [order] = await file.exchanges(orderGroup(`0x${"ab".repeat(56)}`));
    assertEquals(order?.responseBody, '[{"order":{"note":",\\"responseBody\\":"}}]');
    assertEquals((await file.exchanges(competitionGroup(99))).length, 1);
    assertEquals(await file.exchanges(competitionGroup(1)), []);
    await file.close();
  });
});
