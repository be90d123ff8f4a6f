import { connect, type OrderBook } from "orderlens";
import { exportDataset, verifyDataset } from "orderlens/datasets";
import type { HttpResponse, Transport } from "orderlens/http";
import { openSandbox } from "orderlens/sandbox";
import { assert, assertEquals } from "@std/assert";
import { decodeOrder } from "orderlens/schemas";
import { splitUid } from "../../lib/endpoints/calls.ts";
import { AccountFills } from "../../lib/datasets/export/account_fills.ts";
import { inFolder } from "../sandbox/temp_folder.ts";
import { folderBytes } from "./exported.ts";

/** The orders of the account that won most of them in a market. */
async function busiest(book: OrderBook): Promise<string[]> {
  const won = new Set<string>();
  for await (const { competition } of book.competitions({ last: 61 })) {
    for (const { isWinner, orders } of competition?.solutions ?? []) {
      for (const { id } of isWinner ? orders : []) if (!id.endsWith("ffffffff")) won.add(id);
    }
  }
  const groups = Map.groupBy(won, (uid) => splitUid(uid).owner);
  return [...groups.values()].sort((a, b) => b.length - a.length)[0] ?? [];
}

let market: ReturnType<typeof openSandbox> | undefined;

/** A market that no test changes. */
async function connected(): Promise<OrderBook> {
  return connect(await (market ??= openSandbox({ seed: 11, auctions: 60, clock: "virtual" })));
}

/** How an export asks for the fills of an order. */
function ofOrder(orderUid: string) {
  return {
    method: "GET",
    path: `/api/v2/trades?orderUid=${orderUid}&offset=0&limit=1000`,
  } as const;
}

/** The fills of orders, asked for one after another from what was read of accounts. */
async function fillsOf(transport: Transport, uids: readonly string[], fills: AccountFills) {
  const asked: string[] = [];
  const counting: Transport = {
    baseUrl: transport.baseUrl,
    send: (request) => {
      asked.push(/(owner|orderUid)=/.exec(request.path)?.[1] ?? request.path);
      return transport.send(request);
    },
  };
  const items = uids.map((key) => (
    { kind: "trades", key, shard: 0, state: null, firstAskedMs: null } as const
  ));
  const paged = fills.createTransport(counting, items);
  const bodies: string[] = [];
  for (const uid of uids) bodies.push((await paged.send(ofOrder(uid))).body);
  return { asked, bodies };
}

Deno.test("AccountFills reads each trade once while new ones arrive", async () => {
  await using sandbox = await openSandbox({ seed: 11, auctions: 60 });
  const book = connect(sandbox);
  const { transport } = book;
  const uids: string[] = [];
  const known: string[] = [];
  const fills = new AccountFills({ minOrders: 1, maxPages: 1000, rowsPerPage: 5 });
  for (const uid of await busiest(book)) {
    const { body } = await transport.send(ofOrder(uid));
    if (body === "[]") continue;
    uids.push(uid);
    const order = await transport.send({ method: "GET", path: `/api/v1/orders/${uid}` });
    fills.noteExecuted(decodeOrder(JSON.parse(order.body)));
    known.push(body);
  }
  let pages = 0;
  const moving: Transport = {
    baseUrl: transport.baseUrl,
    send: async (request) => {
      if (request.path.includes("owner=") && pages++ > 0 && pages < 4) {
        await sandbox.advance({ auctions: 6 });
      }
      return await transport.send(request);
    },
  };
  const { asked, bodies } = await fillsOf(moving, uids, fills);
  assertEquals(bodies, known);
  const rows = asked.filter((by) => by === "owner").length * 5;
  assertEquals([pages * 5, asked.length], [rows, pages]);
  assert(pages > 3, `${pages} pages`);
});

Deno.test("AccountFills requests an order alone if its account's pages lack fills", async () => {
  const { transport } = await connected();
  const uids = (await busiest(await connected())).slice(0, 2);
  const expected: string[] = [];
  // More was executed than the pages show, as after a fill that came while they were read.
  const more = new AccountFills({ minOrders: 2 });
  for (const [place, uid] of uids.entries()) {
    expected.push((await transport.send(ofOrder(uid))).body);
    const { body } = await transport.send({ method: "GET", path: `/api/v1/orders/${uid}` });
    const order = decodeOrder(JSON.parse(body));
    const executedSellAmount = order.executedSellAmount + BigInt(1 - place);
    more.noteExecuted({ ...order, executedSellAmount });
  }
  // Where what was executed was told in an earlier run, only an account's last page tells all.
  const later = (rowsAPage: number) =>
    new AccountFills({ minOrders: 2, maxPages: 1, rowsPerPage: rowsAPage });
  const alone = ["owner", "orderUid", "orderUid"];
  const cases: [string[], AccountFills, (answer: HttpResponse) => Partial<HttpResponse>][] = [
    [["owner", "orderUid"], more, () => ({})],
    [["owner"], later(1000), () => ({})],
    [alone, later(1), () => ({})],
  ];
  // A hash that is not indexed yet, a refusal, a torn page and an amount that is none.
  const changes: typeof cases[number][2][] = [
    ({ body }) => ({ body: body.replace(/"txHash":"0x[0-9a-f]+"/g, '"txHash":null') }),
    () => ({ status: 500, body: "" }),
    ({ body }) => ({ body: body.slice(0, -20) }),
    ({ body }) => ({ body: body.replaceAll('"sellAmount":"', '"sellAmount":"x') }),
  ];
  for (const change of changes) cases.push([alone, new AccountFills({ minOrders: 2 }), change]);
  for (const [place, [asked, fills, change]] of cases.entries()) {
    const changed: Transport = {
      baseUrl: transport.baseUrl,
      send: async (request) => {
        const answer = await transport.send(request);
        return request.path.includes("owner=") ? { ...answer, ...change(answer) } : answer;
      },
    };
    const found = await fillsOf(changed, uids, fills);
    assertEquals(found, { asked, bodies: expected }, `case ${place}`);
  }
});

inFolder.test("AccountFills gives the same folder as requests for each order, with fewer requests", async (folder) => {
  const book = await connected();
  const { transport, chainId, settlementContract } = book;
  const uids = await busiest(book);
  assert(uids.length >= 8, `${uids.length} orders`);
  let asked: string[] = [];
  const counting = (isPaged: boolean) =>
    connect({
      baseUrl: transport.baseUrl,
      deployment: { chainId, settlementContract },
      send: (request) => {
        if (request.path.startsWith("/api/v2/trades")) asked.push(request.path.split("&")[0]!);
        const isRefused = !isPaged && request.path.startsWith("/api/v2/trades?owner");
        return transport.send(
          isRefused ? { ...request, path: "/api/v2/trades?owner=none" } : request,
        );
      },
    });
  const options = { uids, tables: ["orders", "trades"], debugReports: false };
  await exportDataset(counting(true), `${folder}/pages`, options);
  const [first = "", ...others] = asked;
  assertEquals([first.startsWith("/api/v2/trades?owner="), others], [true, []]);
  asked = [];
  await exportDataset(counting(false), `${folder}/each`, options);
  assert(asked.length > 4, `${asked.length} requests`);
  assertEquals(await folderBytes(`${folder}/pages`), await folderBytes(`${folder}/each`));
  assertEquals((await verifyDataset(`${folder}/pages`)).problems, []);
});
