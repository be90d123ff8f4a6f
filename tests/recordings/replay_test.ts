import { assert, assertEquals, assertRejects } from "@std/assert";
import { connect } from "../../lib/client/mod.ts";
import { NotRecordedError } from "../../lib/errors/mod.ts";
import type { HttpRequest, Transport } from "../../lib/http/mod.ts";
import { replay } from "../../lib/recordings/mod.ts";
import { readRecording } from "../../lib/recordings/recording.ts";
import { JIT_DEPLOYMENT, jitRecording } from "../jit_recording.ts";
import { errorText, got, inFolder, withFolder, writeRecording } from "../sandbox/temp_folder.ts";

const recordedFolder = new URL("../../data/recorded/", import.meta.url);
const market = await replay("market_1");
const edges = await replay("edges");
const { auctionIds, orderUids, accounts, txHashes } = market.recorded;
const [uid = ""] = orderUids;
/** The account with 252 orders, 12 of them placed through an ethflow contract, and 178 fills. */
const account = "0xae8be95be03288071217078950278910001dcbc8";

async function ask(transport: Transport, path: string): Promise<string> {
  const { status, body } = await transport.send({ method: "GET", path });
  assertEquals(status, 200, path);
  return body;
}

async function rows(transport: Transport, path: string): Promise<unknown[]> {
  return JSON.parse(await ask(transport, path));
}

function post(path: string, body: unknown): HttpRequest {
  return { method: "POST", path, body: JSON.stringify(body) };
}

Deno.test("replay() lists the 938 orders, 569 auctions and 637 settlements of market_1, and its deployment", () => {
  assertEquals(orderUids.length, 938);
  assertEquals([auctionIds.length, auctionIds[0], auctionIds.at(-1)], [569, 1605, 2624]);
  assertEquals(txHashes.length, 637);
  assertEquals([accounts.length, accounts.includes(account)], [6, true]);
  assertEquals(market.recorded.tokens.length, 5);
  assertEquals(market.recorded.appDataHashes.length, 37);
  assertEquals(market.recorded.routes.get("GET /restricted/api/v1/debug/order/{uid}"), 938);
  for (const list of [orderUids, accounts, txHashes]) assertEquals(list, list.toSorted());
  assertEquals(market.baseUrl, "replay://market_1");
  assertEquals(market.deployment?.chainId, 1);
  assertEquals(
    market.deployment?.settlementContract,
    "0xa513e6e4b8f2a923d98304ec87f64353c4d5c853",
  );
  assertEquals(market.deployment?.tokens?.map(({ symbol }) => symbol), ["T0", "T1", "T2", "T3"]);
});

Deno.test("replay() returns the exact text of every recorded GET of market_1 and edges", async () => {
  let count = 0;
  for (const name of ["market_1", "edges"]) {
    const recording = await replay(name);
    for (const each of await readRecording(new URL(`${name}.ndjson.gz`, recordedFolder))) {
      if (each.method !== "GET") continue;
      const answer = await recording.send({ method: "GET", path: each.path });
      assertEquals(
        [answer.status, answer.contentType, answer.headers.get("content-type"), answer.body],
        [each.status, each.contentType, each.contentType, each.responseBody],
      );
      count++;
    }
  }
  assertEquals(count, 7170 + 57);
});

Deno.test("replay() returns the pages of an owner's trades, and all of them under v1", async () => {
  const whole = await ask(market, `/api/v2/trades?owner=${account}&limit=1000`);
  assertEquals(JSON.parse(whole).length, 178);
  assertEquals(
    await rows(market, `/api/v2/trades?limit=50&offset=150&owner=${account}`),
    JSON.parse(whole).slice(150),
  );
  assertEquals(await ask(market, `/api/v1/trades?owner=${account}`), whole);
});

Deno.test("replay() responds as the service does to limits outside 1 to 1000, 129 UIDs and an unknown order", async () => {
  const owner = "0xd217E8A0924a6806C7616A4ab0C39Df86e0bF889";
  const unknown = `0x${"ab".repeat(56)}`;
  const lists = [`/api/v1/account/${owner}/orders?limit=`, `/api/v2/trades?owner=${owner}&limit=`];
  const paths = [`/api/v1/orders/${unknown}`, ...lists.map((path) => `${path}0`)]
    .concat(lists.map((path) => `${path}1001`));
  const answers = await Array.fromAsync(paths, (path) => {
    const request = { method: "GET", path } as const;
    return Promise.all([market.send(request), edges.send(request)]);
  });
  const byUids = (uids: readonly string[]) => post("/api/v1/orders/by_uids", uids);
  answers.push([
    await market.send(byUids(orderUids.slice(0, 129))),
    await edges.send(byUids(Array(129).fill(unknown))),
  ]);
  for (const [answer, recorded] of answers) assertEquals(answer, recorded);
  assertEquals(answers.map(([answer]) => answer!.status), [404, 400, 400, 400, 400, 400]);
});

Deno.test("replay() composes by_uids as the service does", async () => {
  let elements = 0;
  const byUid = (body: string) =>
    new Map(JSON.parse(body).map((each: { order: { uid: string } }) => [each.order.uid, each]));
  for (const each of await readRecording(new URL("market_1.ndjson.gz", recordedFolder))) {
    if (!each.path.endsWith("/by_uids")) continue;
    // In another order, the request differs from the recorded one.
    const uids: string[] = JSON.parse(each.requestBody ?? "").reverse();
    const { body } = await market.send(post(each.path, uids));
    assertEquals(byUid(body), byUid(each.responseBody));
    elements += byUid(body).size;
  }
  assertEquals(elements, 938);
});

Deno.test("replay() accepts the document's spelling of a path", async () => {
  const [txHash] = txHashes;
  assertEquals(
    await ask(market, `/api/v1/debug/order/${uid}`),
    await ask(market, `/restricted/api/v1/debug/order/${uid}`),
  );
  assertEquals(
    await ask(market, `/api/v1/orders/tx/${txHash}`),
    await ask(market, `/api/v1/transactions/${txHash}/orders`),
  );
});

inFolder.test("replay() applies an empty 404 only to its recorded spelling", async (folder) => {
  const missing = { ...got(`/api/v1/debug/order/${uid}`, "", 404), responseBody: "" };
  const recording = await replay(await writeRecording(`${folder}/recording.ndjson`, [missing]));
  const old = await recording.send({ method: "GET", path: `/api/v1/debug/order/${uid}` });
  assertEquals([old.status, old.body], [404, ""]);
  const path = `/restricted/api/v1/debug/order/${uid}`;
  await assertRejects(() => recording.send({ method: "GET", path }), NotRecordedError);
});

Deno.test("replay() returns the latest competition, gaps and future ids", async () => {
  const latest = await ask(market, "/api/v2/solver_competition/latest");
  assertEquals(JSON.parse(latest).auctionId, 2624);
  const gap = await edges.send({ method: "GET", path: "/api/v2/solver_competition/1" });
  assertEquals(gap.status, 404);
  let gaps = 0;
  for (let id = 1605; id <= 2700; id++) {
    const answer = await market.send({ method: "GET", path: `/api/v2/solver_competition/${id}` });
    if (answer.status === 200) continue;
    assertEquals(answer, gap);
    gaps++;
  }
  assertEquals(gaps, 2700 - 1605 + 1 - 569);
});

Deno.test("replay() returns a stream of quotes as its whole text", async () => {
  const name = "quoting__quote_stream_smoke";
  const exchanges = await readRecording(new URL(`${name}.ndjson.gz`, recordedFolder));
  const recorded = exchanges.find(({ path }) => path === "/api/v1/quote/stream");
  const answer = await (await replay(name)).send({
    method: "POST",
    path: "/api/v1/quote/stream",
    body: recorded?.requestBody ?? "",
  });
  assertEquals(answer.contentType, "text/event-stream");
  assertEquals(answer.body, recorded?.responseBody);
});

inFolder.test("replay() returns the last response of a repeated GET, and other responses in order", async (folder) => {
  const created = { ...got("/api/v1/orders", uid, 201), method: "POST", requestBody: '{"a":1}' };
  const rejected = { ...created, status: 400, responseBody: '{"errorType":"DuplicatedOrder"}' };
  const recording = await replay(
    await writeRecording(`${folder}/recording.ndjson`, [
      got("/api/v1/auction", { id: 1 }),
      created,
      rejected,
      got("/api/v1/auction", { id: 2 }),
    ]),
  );
  assertEquals(await ask(recording, "/api/v1/auction"), '{"id":2}');
  const again = () => recording.send(post("/api/v1/orders", { a: 1 }));
  const answers = await Array.fromAsync({ length: 3 }, again);
  assertEquals(answers.map(({ status }) => status), [201, 400, 400]);
});

inFolder.test("replay() reads a folder as one deployment; later files take precedence", async (folder) => {
  await writeRecording(`${folder}/1.ndjson`, [got("/a", 1), got("/b", 1)]);
  await writeRecording(`${folder}/2.ndjson`, [got("/a", 2)]);
  await using recording = await replay(new URL(`file://${folder}/`));
  assertEquals(await ask(recording, "/a") + await ask(recording, "/b"), "21");
  assert(recording.baseUrl.startsWith("replay://"));
  assertEquals(recording.deployment, null);
});

Deno.test("replay() rejects with the reason of an aborted signal", async () => {
  const reason = new Error("enough");
  const signal = AbortSignal.abort(reason);
  const error = await assertRejects(() =>
    market.send({ method: "GET", path: "/api/v1/version", signal })
  );
  assert(error === reason);
});

Deno.test("replay() names recorded requests near a missing one", async (t) => {
  const unknown = `0x${"cd".repeat(56)}`;
  const requests: HttpRequest[] = [
    { method: "GET", path: `/api/v1/orders/${unknown}` },
    { method: "GET", path: `/restricted/api/v1/debug/order/${uid.slice(0, -2)}ff` },
    { method: "GET", path: `/api/v1/orders/tx/0x${"cd".repeat(32)}` },
    { method: "GET", path: "/api/v2/solver_competition/17" },
    { method: "GET", path: `/api/v1/account/0x${"cd".repeat(20)}/orders?limit=1000` },
    { method: "GET", path: "/accounts/0x12/notifications", at: "root" },
    post("/api/v1/quote", { kind: "sell", sellToken: uid }),
    post("/api/v1/orders/by_uids", ["0x12"]),
    { method: "DELETE", path: "/api/v1/nothing" },
  ];
  const errors = await Array.fromAsync(
    requests,
    (request) => assertRejects(() => market.send(request), NotRecordedError),
  );
  await t.assertSnapshot(errors.map(({ message }) => message).join("\n\n"));
});

inFolder.test(
  "replay() names the recorded rows of a list and the recorded orders",
  async (folder, t) => {
    const list = `/api/v1/account/${account}/orders`;
    const recording = await replay(
      await writeRecording(`${folder}/recording.ndjson`, [
        got(`${list}?limit=2`, [1, 2]),
        got(`${list}?limit=2&offset=4`, [5]),
        got(`/api/v1/orders/${uid}`, { uid }),
        got(`/api/v2/trades?orderUid=${uid}`, [{ orderUid: orderUids[1] }]),
      ]),
    );
    const texts = [
      await errorText(recording.send({ method: "GET", path: `${list}?limit=3` })),
      await errorText(recording.send(post("/api/v1/orders/by_uids", [uid, orderUids[1]]))),
    ];
    await t.assertSnapshot(texts.join("\n\n"));
  },
);

inFolder.test("replay() rejects a recording without exchanges", async (folder, t) => {
  const file = `${folder}/empty.ndjson`;
  await Deno.writeTextFile(file, "\n");
  await t.assertSnapshot(await errorText(replay(file), folder));
});

Deno.test("replay() responds from a recording with a JIT order", async () => {
  const owners = [`0x${"ab".repeat(20)}`];
  for (const known of [owners, null]) {
    const { exchanges, jitUid } = await jitRecording({ owners: known });
    await withFolder(async (folder) => {
      const recording = await replay(await writeRecording(`${folder}/jit.ndjson`, exchanges));
      assertEquals(recording.deployment, JIT_DEPLOYMENT);
      assertEquals((await connect(recording).order(jitUid)).class, "liquidity");
      assertEquals(recording.recorded.surplusCapturingJitOrderOwners, known);
    });
  }
});
