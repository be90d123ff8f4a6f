import { connect } from "orderlens";
import { exportDataset, verifyDataset } from "orderlens/datasets";
import type { Clock, HttpRequest } from "orderlens/http";
import { assert, assertEquals } from "@std/assert";
import { isRefusedBySystem } from "../../lib/datasets/layout/folders.ts";
import { readExchanges } from "../../lib/recordings/recording.ts";
import { serveNode } from "../evm/node_server.ts";
import { inFolder } from "../sandbox/temp_folder.ts";
import { alteredBook, type Change, changedBook, TestClock } from "./altered_book.ts";
import { exported, exportedOnce, folderBytes, LATER, recorded, rowsOf } from "./exported.ts";
import { openSandbox } from "orderlens/sandbox";
import { readdir } from "node:fs/promises";
import { zstdDecompressSync } from "node:zlib";
import { NODE_TABLES } from "../../lib/datasets/shards/published_tables.ts";

const RECORDING = await recorded("market_1");
const AUCTIONS = { from: 2_610, to: 2_624 };
const WANTED = { auctions: AUCTIONS, tables: ["auctions", "solutions", "trades"] };
const RAW = "raw/0000002000-0000002999.ndjson.zst";

/** The recording, with answers that a test changes, or whose parsed bodies it alters. */
const changed = (change: Change, clock: Clock = new TestClock(LATER.now())) =>
  changedBook(RECORDING, change, clock);
const altered = (alter: Parameters<typeof alteredBook>[1]) =>
  alteredBook(RECORDING, alter, new TestClock(LATER.now()));

const honest = altered(() => {});
const kept = await exported("market_1", WANTED);
const whole = await folderBytes(kept);
const IDS = RECORDING.recorded.auctionIds.filter((id) => id >= AUCTIONS.from);

function isOf(id: number | undefined, { path }: Pick<HttpRequest, "path">): boolean {
  return path === `/api/v2/solver_competition/${id}`;
}

inFolder.test("an export fails auctions and fills that the service contradicts, and has the others", async (folder) => {
  const [other, garbage, cut, wrong, down] = IDS;
  let ofFills: string | undefined;
  const book = changed((request, response) => {
    if (isOf(other, request)) {
      return { ...response, body: response.body.replace(`"auctionId":${other}`, '"auctionId":7') };
    }
    if (isOf(garbage, request)) return { ...response, body: "\0\0 not an answer" };
    if (isOf(wrong, request)) {
      return { ...response, body: response.body.replace('"score":"', '"score":"x') };
    }
    if (request.path.startsWith("/api/v2/trades")) ofFills ??= request.path;
    if (isOf(down, request) || request.path === ofFills) {
      return { ...response, status: 500, body: "{}" };
    }
    return isOf(cut, request) ? { ...response, body: response.body.slice(0, 999) } : response;
  });
  const { manifest } = await exportDataset(book, folder, WANTED);
  const failed = Map.groupBy(manifest.failures, ({ kind }) => kind);
  assertEquals(
    failed.get("competition")?.map(({ key }) => Number(key)),
    [other, garbage, cut, wrong, down],
  );
  assertEquals(failed.get("trades")?.map(({ key }) => ofFills?.includes(key)), [true]);
  for await (const { status } of readExchanges(`${folder}/${RAW}`)) {
    assert([200, 404].includes(status));
  }
  const rows = await rowsOf(folder, "auctions");
  assertEquals(rows.map(({ auction_id }) => auction_id), IDS.slice(5));
  assertEquals((await verifyDataset(folder)).problems.filter(({ file }) => file !== null), []);
  await exportDataset(honest, folder, WANTED);
  assertEquals(await folderBytes(folder), whole);
});

inFolder.test("a 404 of a gateway fails an auction, fills and documents, which are never absent", async (folder) => {
  const sent = new Set<string>();
  const book = changed(({ path }, response) => {
    const route = path.replace(/0x[0-9a-f]+|\d+$/gi, "…");
    const isFirst = /solver_competition|trades|app_data/.test(route) && !sent.has(route);
    if (!isFirst || response.status !== 200) return response;
    sent.add(route);
    return { ...response, status: 404, contentType: "text/plain", body: "default backend - 404" };
  });
  const { manifest } = await exportDataset(book, folder, WANTED);
  const kinds = new Set(manifest.failures.map(({ kind }) => kind));
  assert(kinds.has("competition") && kinds.has("trades"), `${[...kinds]}`);
  for await (const { responseBody } of readExchanges(`${folder}/${RAW}`)) {
    assert(responseBody !== "default backend - 404");
  }
  await exportDataset(honest, folder, WANTED);
  assertEquals(await folderBytes(folder), whole);
});

inFolder.test("responses that break or drip over HTTP fail single auctions, after retries", async (folder) => {
  const [broken, slow] = IDS;
  const asked = new Map<string, number>();
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    async (request) => {
      const { pathname, search } = new URL(request.url);
      const path = pathname + search;
      asked.set(path, (asked.get(path) ?? 0) + 1);
      const method = request.method === "POST" ? "POST" : "GET";
      const sent: HttpRequest = { method, path };
      const text = method === "POST" ? { body: await request.text() } : {};
      const { status, body } = await RECORDING.send({ ...sent, ...text });
      const headers = { "content-type": "application/json" };
      if (isOf(broken, sent)) {
        return new Response("no gzip", { headers: { ...headers, "content-encoding": "gzip" } });
      }
      if (!isOf(slow, sent)) return new Response(body, { status, headers });
      return new Response(
        new ReadableStream({ start: (drip) => drip.enqueue(new Uint8Array([123])) }),
      );
    },
  );
  const { chainId, settlementContract } = RECORDING.deployment!;
  const clock = Object.assign(new TestClock(LATER.now()), { isVirtual: true });
  const url = `http://127.0.0.1:${server.addr.port}`;
  const book = connect(url, { chainId, settlementContract, clock, timeoutMs: 60 });
  const { manifest } = await exportDataset(book, folder, {
    auctions: { from: AUCTIONS.from, to: IDS[3]! },
    tables: ["auctions"],
    trades: false,
    debugReports: false,
  });
  assertEquals(manifest.failures.map(({ key }) => Number(key)), [broken, slow]);
  assertEquals(
    [broken, slow].map((id) => asked.get(`/api/v2/solver_competition/${id}`)),
    [5, 5],
  );
  assertEquals(manifest.ids.present.flat().slice(-1), [IDS[3]]);
});

inFolder.test("an unreadable order or fill is stored, and only its row is missing", async (folder) => {
  const options = { ...WANTED, tables: ["orders", "trades"] };
  const before = await exported("market_1", options);
  const [first] = await rowsOf(before, "trades");
  let broken = "";
  const many = altered((path, body) => {
    // Wherever the service answers it: alone, or among those of its account.
    for (const trade of path.startsWith("/api/v2/trades?") ? body : []) {
      if (trade.orderUid === first!.order_uid) trade.sellAmount = "many";
    }
    if (path !== "/api/v1/orders/by_uids") return;
    broken ||= body.find((one: typeof body[0]) => one.order.uid !== first!.order_uid).order.uid;
    for (const { order } of body) if (order.uid === broken) order.sellAmount = "many";
  });
  const { manifest } = await exportDataset(many, folder, options);
  assertEquals(manifest.failures.map(({ kind, key }) => [kind, key]), [
    ["order", broken],
    ["trades", first!.order_uid],
  ]);
  for (const table of options.tables) {
    const expected = (await rowsOf(before, table)).filter((row) =>
      row.order_uid !== broken && (table === "orders" || row.order_uid !== first!.order_uid)
    );
    assertEquals((await rowsOf(folder, table)).length, expected.length, table);
  }
  const raw = await Array.fromAsync(readExchanges(`${folder}/${RAW}`));
  assertEquals(raw.filter(({ responseBody }) => responseBody.includes('"many"')).length, 2);
  await exportDataset(honest, folder, options);
  assertEquals(await folderBytes(folder), await folderBytes(before));
});

inFolder.test("unknown fields and values cost no row, and manifest and card count them", async (folder) => {
  const { length: rows, 0: first } = await rowsOf(kept, "trades");
  const book = altered((path, body) => {
    if (isOf(IDS[0], { path })) body.fieldOfTomorrow = { since: 1 };
    if (path === "/api/v1/orders/by_uids") body[0].order.class = `new-${body[0].order.class}`;
    for (const trade of path.startsWith("/api/v2/trades?") ? body : []) {
      if (trade.orderUid !== first!.order_uid) continue;
      const policy = { tomorrow: { factor: 1 } };
      trade.executedProtocolFees = [{ policy, amount: "1", token: trade.sellToken }];
    }
  });
  const { manifest } = await exportDataset(book, folder, WANTED);
  assertEquals([manifest.failures, (await rowsOf(folder, "trades")).length], [[], rows]);
  assertEquals(manifest.drift.unknownFields, [
    { kind: "competition_v2", path: "fieldOfTomorrow", count: 1 },
    { kind: "trade", path: "executedProtocolFees[].policy.tomorrow", count: 1 },
  ]);
  // One order with a bid, and one without.
  const [unknown, ...others] = manifest.drift.unknownValues;
  assertEquals(others, []);
  assertEquals([unknown?.path, unknown?.value, unknown?.count], ["order.class", "new-limit", 2]);
  const card = await Deno.readTextFile(`${folder}/README.md`);
  assert(card.includes("| competition_v2 | `fieldOfTomorrow` | | 1 |"), card);
  const { drift } = (await exportDataset(honest, folder, WANTED)).manifest;
  // Final answers are not asked for again; the order without a bid was open.
  assertEquals(drift, { ...manifest.drift, unknownValues: [{ ...unknown!, count: 1 }] });
});

inFolder.test("a wrong clock makes nothing final too early", async (root) => {
  const { orders } = await connect(RECORDING).orders(RECORDING.recorded.orderUids.slice(-1));
  const rightMs = orders[0]!.creationDate.epochMilliseconds;
  const date = new Date(rightMs).toUTCString();
  const id = 2_624;
  const auctions = { from: id, to: id };
  const options = { auctions, tables: ["solutions"], trades: false, debugReports: false };
  let isLate = true;
  const clock = new TestClock();
  const hide = (told: boolean): Change => (request, response) => ({
    ...response,
    headers: new Headers(told ? { date } : {}),
    body: isLate && isOf(id, request)
      ? response.body.replaceAll(/"txHash":"0x[0-9a-f]{64}"/g, '"txHash":null')
      : response.body,
  });
  const year = 365 * 86_400_000;
  let wanted: Map<string, string> | undefined;
  const cases = [
    ["ahead, and the host knows better", true, [rightMs + year]],
    ["behind, and the host knows better", true, [rightMs - year, rightMs]],
    ["backwards between runs", false, [rightMs, rightMs - year, rightMs]],
  ] as const;
  for (const [name, told, times] of cases) {
    isLate = true;
    const folder = `${root}/${name}`;
    const book = changed(hide(told), clock);
    for (const ms of times) {
      clock.ms = ms;
      await exportDataset(book, folder, options);
    }
    isLate = false;
    await exportDataset(book, folder, options);
    const rows = await rowsOf(folder, "solutions");
    const winners = rows.filter((row) => row.auction_id === id && row.is_winner === true);
    assertEquals(winners.map((row) => row.tx_hash !== null), [true, true], name);
    wanted ??= (await exportedOnce(book, options)).bytes;
    assertEquals(await folderBytes(folder), wanted, name);
  }
});

inFolder.test("an order stays with its response when the service no longer has it", async (folder) => {
  const ofOrders = (change: (body: string) => string) =>
    changed(({ path }, response) =>
      path === "/api/v1/orders/by_uids" ? { ...response, body: change(response.body) } : response
    );
  const open = ofOrders((body) => body.replaceAll('"status":"fulfilled"', '"status":"open"'));
  const gone = ofOrders(() => "[]");
  const options = { auctions: AUCTIONS, tables: ["orders"] };
  const { manifest } = await exportDataset(open, folder, options);
  const again = await exportDataset(gone, folder, options);
  assert(again.requests > 0);
  assertEquals(again.manifest.items.order, manifest.items.order);
  assertEquals(again.manifest.files, manifest.files);
  // An open order that executed all of its amounts contradicts itself.
  const { problems } = await verifyDataset(folder);
  const others = problems.filter(({ problem }) =>
    !problem.startsWith("contradiction (order_status)")
  );
  assertEquals(others, []);
});

inFolder.test("exportDataset() rejects a full disk, and continues once there is space", async (folder) => {
  const script = new URL("./export_until_killed.ts", import.meta.url).pathname;
  const { from, to } = AUCTIONS;
  const run =
    `${Deno.execPath()} run -A --no-check ${script} ${folder} market_1 ${from} ${to} 0 ${WANTED.tables}`;
  const { success, stderr } = await new Deno.Command("bash", {
    args: ["-c", `trap '' XFSZ; ulimit -f 120; exec ${run}`],
    stdout: "null",
  }).output();
  const text = new TextDecoder().decode(stderr);
  assertEquals(success, false);
  assert(text.includes(`Cannot export into ${folder}`) && text.includes("free space"), text);
  await exportDataset(honest, folder, WANTED);
  assertEquals(await folderBytes(folder), whole);
});

Deno.test("isRefusedBySystem() recognizes a full disk in errors of the writer of tables", () => {
  // As it said on a disk of 600 and 900 kB.
  const cases = [
    "parquet: File out of specification: Invalid thrift: transport error",
    "parquet: File out of specification: underlying IO error: No space left on device (os error 28)",
  ];
  for (const text of cases) {
    const error = Object.assign(new Error(text), { code: "GenericFailure" });
    assert(isRefusedBySystem(error), text);
  }
  const other = Object.assign(new Error("Column not found: a"), { code: "GenericFailure" });
  assert(!isRefusedBySystem(other));
});

const NODE_KEY = "k3yOfTheNode0123456789abcdef";
const KEY = "planted-key-8c1f7a";

inFolder.test("an export stores no key of the deployment or the node, even if a node returns it", async (folder) => {
  const sandbox = await openSandbox({ seed: 7, auctions: 12, clock: "virtual" });
  await using service = sandbox.listen({ port: 0 });
  let [echoed, nodeUrl] = [0, ""];
  await using server = serveNode(async (calls) =>
    (await sandbox.rpc(calls)).map((answer, place) => {
      const isOfSettlement = calls[place]!.method.startsWith("eth_getTransaction");
      if (!("result" in answer) || !isOfSettlement) return answer;
      // One of them is an error that names the address.
      return echoed++ === 3
        ? { error: { code: -32000, message: `no state at ${nodeUrl}` } }
        : { result: { ...Object(answer.result), servedBy: nodeUrl } };
    })
  );
  nodeUrl = `${server.url}/v3/${NODE_KEY}?key=${NODE_KEY}`;
  const { chainId, settlementContract } = sandbox.deployment;
  const url = new URL(service.url);
  [url.username, url.password] = ["someone", KEY];
  const book = connect(url.href, { chainId, settlementContract, headers: { "x-api-key": KEY } });
  const { manifest } = await exportDataset(book, folder, {
    last: 12,
    tables: ["auctions", "orders", "trades", ...NODE_TABLES],
    node: nodeUrl,
  });
  assertEquals(manifest.failures.length, 1);
  assert((manifest.items.receipt?.present ?? 0) > 3);
  assertEquals(Object.keys(manifest.items.block ?? {}), ["present"]);
  const names = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .flatMap((one) => one.isFile() ? [`${one.parentPath}/${one.name}`] : []);
  assert(names.length > 15 && names.some((name) => name.endsWith("state.sqlite")));
  for (const name of names) {
    const bytes = await Deno.readFile(name);
    const unpacked = name.endsWith(".zst") ? zstdDecompressSync(bytes) : bytes;
    const text = new TextDecoder("latin1").decode(unpacked);
    for (const key of [NODE_KEY, KEY, btoa(`someone:${KEY}`)]) {
      assertEquals(text.includes(key), false, name);
    }
  }
});
