import { assert, assertEquals } from "@std/assert";
import {
  auctionTimes,
  auditRange,
  auditSettlement,
  type Competition,
  connect,
  OrderlensError,
  settledCompetitions,
} from "orderlens";
import {
  blockTimes,
  type NodeSource,
  settlement,
  settlementLogs,
  tokenDecimals,
  tokenFacts,
} from "orderlens/evm";
import { exportDataset, openDataset } from "orderlens/datasets";
import { systemClock } from "orderlens/http";
import { openSandbox } from "orderlens/sandbox";
import { LIES, lyingNode, signedNode } from "../evm/lying_node.ts";
import { textsOf } from "../secret_texts.ts";
import { withFolder } from "../sandbox/temp_folder.ts";

const sandbox = await openSandbox({ seed: 7, auctions: 12 });
const book = connect(sandbox);
const competitions = (await Array.fromAsync(book.competitions({ last: 12 })))
  .flatMap(({ competition }) => competition ?? []);
const settled = competitions.filter(({ transactionHashes }) => transactionHashes.length > 0)
  .slice(0, 4);
const TX = settled[0]!.transactionHashes[0]!;
const trades = await Array.fromAsync(
  new Set(settled.flatMap(({ auction }) => auction.orders)),
  (orderUid) => Array.fromAsync(book.trades({ orderUid })),
).then((all) => all.flat());
const { settlementContract, tokens = [] } = sandbox.deployment;
const [HEAD] = await sandbox.rpc([{ method: "eth_blockNumber", params: [] }]);
const to = Number((HEAD as { result: string }).result);
const RANGE = { from: competitions[0]!.auctionStartBlock, to };
const BLOCKS = competitions.map(({ auctionStartBlock }) => auctionStartBlock);
const TOKENS = tokens.map(({ address }) => address);
const FAST = { backoffBaseMs: 0, backoffCapMs: 0, retries: 3 };

/** A call that takes a node: what it gives, as texts by name, so that less can be told from wrong. */
type Call = (node: NodeSource) => Promise<Map<string, string>>;

function text(value: unknown): string {
  return JSON.stringify(value, (_, one) => typeof one === "bigint" ? `${one}n` : one);
}

async function exported(node: NodeSource, walk: "ids" | "settlements") {
  using _waits = withoutWaits();
  const rows = new Map<string, string>();
  await withFolder(async (folder) => {
    const [{ auctionId: from, auctionStartBlock }] = competitions.slice(-4) as [Competition];
    const auctions = { from, to: competitions.at(-1)!.auctionId };
    const blocks = { from: auctionStartBlock, to };
    const selection = walk === "ids" ? { auctions } : { blocks, walk };
    await exportDataset(book, folder, { ...selection, node, tables: ["auctions", "blocks"] });
    const dataset = await openDataset(folder);
    for (const row of (await (await dataset.table("blocks")).collect()).toRecords()) {
      rows.set(`block ${row.block_number}`, `${row.block_at_ms ?? row.timestamp}`);
    }
    for (const row of (await (await dataset.table("auctions")).collect()).toRecords()) {
      // Without a block, the time is an interval, and says so.
      if (row.time_basis === "block") rows.set(`auction ${row.auction_id}`, `${row.auction_at}`);
    }
  });
  return rows;
}

/** Lets waits before a repeated request pass at once, which an export has no options for. */
function withoutWaits(): Disposable {
  const { sleep } = systemClock;
  const set = (own: typeof sleep) => void Object.assign(systemClock, { sleep: own });
  set(() => Promise.resolve());
  return { [Symbol.dispose]: () => set(sleep) };
}

const CALLS: Readonly<Record<string, Call>> = {
  blockTimes: async (node) =>
    new Map([...await blockTimes(node, BLOCKS, FAST)].map(([block, at]) => [`${block}`, `${at}`])),
  tokenDecimals: async (node) =>
    new Map([...await tokenDecimals(node, TOKENS, FAST)].map(([one, more]) => [one, `${more}`])),
  tokenFacts: async (node) =>
    new Map(
      [...await tokenFacts(node, TOKENS, FAST)].flatMap(([token, { decimals, symbol }]) => [
        ...decimals === null ? [] : [[`decimals of ${token}`, `${decimals}`] as const],
        ...symbol === null ? [] : [[`symbol of ${token}`, symbol] as const],
      ]),
    ),
  settlementLogs: async (node) =>
    new Map(
      (await Array.fromAsync(settlementLogs(node, { ...RANGE, settlementContract }, FAST)))
        .map((log) => [log.txHash, text(log)]),
    ),
  auditSettlement: async (node) => auditMap(await auditSettlement(node, TX, { book, ...FAST })),
  auditRange: async (node) => {
    const known = { ...Object(node), deployment: sandbox.deployment };
    const found = await Array.fromAsync(auditRange(known, settled, { trades, ...FAST }));
    return new Map(
      found.flatMap(({ audit, error }) => audit === null ? noError(error) : [...auditMap(audit)]),
    );
  },
  auctionTimes: async (node) => {
    const times = await auctionTimes(node, competitions, FAST);
    return new Map(competitions.flatMap(({ auctionId }) => {
      const known = times.auction(auctionId);
      return known?.basis === "block" ? [[`${auctionId}`, `${known.at}`] as const] : [];
    }));
  },
  settledCompetitions: async (node) =>
    new Map(
      (await Array.fromAsync(settledCompetitions(book, node, RANGE, FAST)))
        .flatMap(({ settlement: { solver, ...place }, competition }) => [
          [`log ${place.txHash}`, text([place, solver])] as const,
          [`auction ${competition?.auctionId}`, "settled"] as const,
        ]),
    ),
  "exportDataset of ids": (node) => exported(node, "ids"),
  "exportDataset of settlements": (node) => exported(node, "settlements"),
};

function noError(error: unknown): [] {
  assert(error instanceof OrderlensError);
  return [];
}

/** An audit with differences says that something is wrong; its numbers are then the node's. */
function auditMap(audit: Awaited<ReturnType<typeof auditSettlement>>): Map<string, string> {
  if (audit.differences.length > 0) return new Map();
  const { txHash, blockNumber, solver, gasCost, trades } = audit;
  return new Map([[txHash, text({ blockNumber, solver, gasCost, trades })]]);
}

/**
 * What nothing in an answer can show: a call of a contract does not name it, and a query for logs does
 * not prove that there are no others.
 */
const UNPROVABLE: Readonly<Record<string, readonly string[]>> = {
  tokenDecimals: ["answers to other calls"],
  tokenFacts: ["answers to other calls"],
};

for (const [lie, alter] of Object.entries(LIES)) {
  for (const [name, call] of Object.entries(CALLS)) {
    if (UNPROVABLE[name]?.includes(lie)) continue;
    Deno.test(`${name}() of a node that answers with ${lie} gives no wrong number`, async () => {
      const honest = new Map([...await honestly(name, call), ...await honestly("logs", LOGS)]);
      const outcome = await call(lyingNode(sandbox.rpc, alter)).catch((error) => error);
      if (outcome instanceof Error) {
        assert(outcome instanceof OrderlensError, outcome.stack);
        return;
      }
      for (const [key, found] of outcome) assertEquals(found, honest.get(key), key);
    });
  }
}

/** All settlements: an auction may be found by any of its own. */
const LOGS: Call = async (node) =>
  new Map(
    (await Array.fromAsync(settlementLogs(node, { ...RANGE, settlementContract })))
      .map(({ solver, ...place }) => [`log ${place.txHash}`, text([place, solver])]),
  );

const SIGNED = await signedNode();

/** What an audit proves of a signed transaction, whose hash is that of its bytes. */
for (const [lie, alter] of Object.entries(LIES)) {
  if (lie === "another block") continue;
  Deno.test(`settlement() of a node that answers with ${lie} is an error, or says what it lacks`, async () => {
    const { node, hash } = SIGNED;
    const honest = await settlement(node, hash);
    assertEquals(honest.isHashVerified, true);
    const outcome = await settlement(lyingNode(node.rpc, alter), hash, FAST)
      .catch((error) => error);
    if (outcome instanceof Error) assert(outcome instanceof OrderlensError, outcome.stack);
    else if (outcome.hasAllLogs === honest.hasAllLogs) {
      const { events: _, ...facts } = outcome;
      const { events: __, ...expected } = honest;
      assertEquals(facts, expected);
    }
  });
}

const known = new Map<string, Promise<Map<string, string>>>();

function honestly(name: string, call: Call): Promise<Map<string, string>> {
  const found = known.get(name) ?? call(sandbox);
  known.set(name, found);
  return found;
}

Deno.test("each call gives equal results from a node that is busy at first, or for some calls", async () => {
  for (const lie of ["a rate limit, at first", "a rate limit, for some"]) {
    for (const [name, call] of Object.entries(CALLS)) {
      if (name.startsWith("exportDataset")) continue;
      const honest = await honestly(name, call);
      assert(honest.size > 0, name);
      assertEquals(await call(lyingNode(sandbox.rpc, LIES[lie]!)), honest, `${name}, ${lie}`);
    }
  }
});

/** Servers in place of a node; the key in the URL is in what they say. */
const KEY = "q8Zp3xN7vT2mKd5RwYb9";
const SERVERS: Readonly<Record<string, () => Response | Promise<Response>>> = {
  "401 with the key": () => new Response(`no project ${KEY}`, { status: 401 }),
  "403 and a page": () => new Response(`<html>${KEY} is blocked</html>`, { status: 403 }),
  "404 and a page": () => new Response(`<html>/v3/${KEY}</html>`, { status: 404 }),
  "429": () => new Response(KEY, { status: 429, headers: { "retry-after": "100000" } }),
  "502 and a page": () => new Response(`<html>${KEY}</html>`, { status: 502 }),
  "500 without a body": () => new Response(null, { status: 500 }),
  "a page": () => new Response(`<html>${KEY}</html>`),
  "nothing": () => new Response(""),
  "JSON that is cut off": () => new Response(`[{"jsonrpc":"2.0","id":0,"result":"${KEY}`),
  "JSON of another kind": () => Response.json({ status: "ok", key: KEY }),
  "an error with the key": () =>
    Response.json({ jsonrpc: "2.0", id: 0, error: { code: -32000, message: `bad key ${KEY}` } }),
  "another id": () => Response.json({ jsonrpc: "2.0", id: 77, result: KEY }),
  "ids twice": () =>
    Response.json([0, 0, 1, 1, 2, 2].map((id) => ({ jsonrpc: "2.0", id, result: KEY }))),
  "a redirect": () => Response.redirect(`http://127.0.0.1:9/${KEY}`),
  "nothing in time": () => new Promise(() => {}),
};

for (const [what, answer] of Object.entries(SERVERS)) {
  Deno.test(`calls of a server that answers with ${what} end with a typed error without the key`, async () => {
    const ending = new AbortController();
    let requests = 0;
    const server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {}, signal: ending.signal },
      async (request) => {
        requests++;
        await request.body?.cancel();
        return await answer();
      },
    );
    const url = `http://127.0.0.1:${server.addr.port}/v3/${KEY}?token=${KEY.slice(0, 6)}`;
    const options = { ...FAST, retries: 0, timeoutMs: 100 };
    const calls: (() => Promise<unknown>)[] = [
      () => blockTimes(url, BLOCKS, options),
      () => tokenFacts(url, TOKENS, options),
      () => settlement(url, TX, options),
      () => Array.fromAsync(settlementLogs(url, { ...RANGE, settlementContract }, options)),
      () => auditSettlement(url, TX, { book, ...options }),
      () => Array.fromAsync(auditRange(url, settled, options)),
      () => auctionTimes(url, competitions, options),
      () => Array.fromAsync(settledCompetitions(book, url, RANGE, options)),
    ];
    const outcomes = calls.map((call) => call().then((found) => found, (reason) => reason));
    for (const [place, call] of calls.entries()) {
      const error = await outcomes[place];
      // A call that a contract refuses is no fact of the token, and each settlement has its own error.
      const isNothing = error instanceof Map && error.size === 0 ||
        Array.isArray(error) && error.every((one) => one.error instanceof OrderlensError);
      assert(isNothing || error instanceof OrderlensError, `${call}: ${Deno.inspect(error)}`);
      for (const shown of textsOf(error)) {
        assert(!shown.includes(KEY) && !shown.includes(KEY.slice(0, 6)), shown);
      }
    }
    assert(requests < 20 * calls.length, `${requests} requests`);
    ending.abort();
    await server.finished;
  });
}
