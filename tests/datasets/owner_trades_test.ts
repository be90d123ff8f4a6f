import { connect } from "orderlens";
import { exportDataset, verifyDataset } from "orderlens/datasets";
import type { Transport } from "orderlens/http";
import { openSandbox } from "orderlens/sandbox";
import { assert, assertEquals } from "@std/assert";
import { tradesByOwner } from "../../lib/datasets/export/ask_others.ts";
import { withFolder } from "../sandbox/temp_folder.ts";
import { folderBytes } from "./folder_bytes.ts";

const { signal } = new AbortController();

/** The owner of most fills of a market, and the UIDs of all of theirs. */
async function busiest(transport: Transport) {
  const latest = { method: "GET", path: "/api/v2/solver_competition/latest" } as const;
  const { auctionId } = JSON.parse((await transport.send(latest)).body);
  const uids = new Map<string, Set<string>>();
  for (let id = Math.max(1, auctionId - 60); id <= auctionId; id++) {
    const path = `/api/v2/solver_competition/${id}`;
    const { status, body } = await transport.send({ method: "GET", path });
    if (status !== 200) continue;
    for (const { isWinner, orders } of JSON.parse(body).solutions) {
      for (const { id: uid } of isWinner ? orders : []) {
        const owner = `0x${uid.slice(66, 106)}`;
        if (!uid.endsWith("ffffffff")) uids.set(owner, (uids.get(owner) ?? new Set()).add(uid));
      }
    }
  }
  const [owner = "", found] = [...uids].sort(([, a], [, b]) => b.size - a.size)[0] ?? [];
  return { owner, uids: [...found ?? []], auctionId };
}

Deno.test("trades that arrive while an account's pages are read are in none twice, and none is lost", async () => {
  await using sandbox = await openSandbox({ seed: 11, auctions: 60 });
  const { transport } = connect(sandbox);
  const { owner } = await busiest(transport);
  const rows = async (path: string) => {
    const { body } = await transport.send({ method: "GET", path: `/api/v2/trades?${path}` });
    return JSON.parse(body) as { blockNumber: number; logIndex: number; orderUid: string }[];
  };
  const before = await rows(`owner=${owner}&offset=0&limit=1000`);
  assert(before.length >= 4, `${before.length} trades`);
  let pages = 0;
  const moving: Transport = {
    baseUrl: transport.baseUrl,
    send: async (request) => {
      if (pages++ > 0 && pages < 6) await sandbox.advance({ auctions: 12 });
      return await transport.send(request);
    },
  };
  const found = await tradesByOwner(moving, { owner, mostPages: 1000, rowsAPage: 2, signal });
  const after = await rows(`owner=${owner}&offset=0&limit=1000`);
  assert(after.length > before.length, "the pages moved");
  for (const { orderUid } of before) {
    const body = found?.get(orderUid.toLowerCase());
    const expected = before.filter((one) => one.orderUid === orderUid);
    const keys = (all: typeof before) => all.map((one) => `${one.blockNumber} ${one.logIndex}`);
    const got = keys(JSON.parse(body ?? "[]"));
    assertEquals(new Set(got).size, got.length);
    assertEquals(keys(expected).filter((key) => !got.includes(key)), []);
  }
  assertEquals(await tradesByOwner(transport, { owner, mostPages: 1, rowsAPage: 2, signal }), null);
});

Deno.test("the pages of an account give the same folder as asking for each order, in fewer requests", async () => {
  await using sandbox = await openSandbox({ seed: 11, auctions: 60 });
  const { transport, chainId, settlementContract } = connect(sandbox);
  const { uids } = await busiest(transport);
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
  await withFolder(async (folder) => {
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
});
