import { assert, assertEquals, assertRejects } from "@std/assert";
import { HttpStatusError, InputError, MismatchError, ServiceError } from "orderlens";
import { blockTimes, type NodeSource, type RpcAnswer } from "orderlens/evm";
import { textsOf } from "../../secret_texts.ts";
import { inFolder } from "../../sandbox/temp_folder.ts";
import { type Call, nodeThat, range, secondsOfBlock, startBlockServer } from "../node_server.ts";

/** What a chain of twelve seconds per block must give. */
function expected(blocks: readonly number[]): [number, string][] {
  return blocks.map((block) => [
    block,
    Temporal.Instant.fromEpochMilliseconds(secondsOfBlock(block) * 1_000).toString(),
  ]);
}

function textOf(times: ReadonlyMap<number, Temporal.Instant>): [number, string][] {
  return [...times].map(([block, time]) => [block, time.toString()]);
}

/** How many calls each request had. */
function sizes({ requests }: { requests: Call[][] }): number[] {
  return requests.map((calls) => calls.length);
}

/** The answer about a made-up block. */
function blockOf(number: unknown): { number: unknown; timestamp: string } {
  return { number, timestamp: `0x${secondsOfBlock(Number(number)).toString(16)}` };
}

/** The answer to one call of a batch. */
function answerTo({ id, params: [number] }: Call): { id: number } & Record<string, unknown> {
  return { jsonrpc: "2.0", id, result: blockOf(number) };
}

Deno.test("blockTimes() gets 600 block times in six batches", async () => {
  await using node = startBlockServer();
  const blocks = range(1_000, 600);
  const times = await blockTimes(node.url, [...blocks].reverse());
  assertEquals(textOf(times), expected(blocks));
  assertEquals(sizes(node), Array(6).fill(100));
});

const tooLarge = { jsonrpc: "2.0", id: null, error: { code: -32005, message: "limit" } };
const limit = (code: number, message: string) => ({ ...tooLarge, error: { code, message } });
const REJECTIONS: [string, (calls: Call[]) => Response][] = [
  ["status 413", () => new Response("too large", { status: 413 })],
  ["error -32005", () => Response.json(tooLarge)],
  ["another error for the batch", () => Response.json(limit(-32600, "batch too large"))],
  ["status 400 in plain text", () => new Response("batch too large", { status: 400 })],
  ["one error in a list", () => Response.json([tooLarge])],
  ["an error with status 400", () => Response.json(tooLarge, { status: 400 })],
  ...[-32005, 429].map((code): [string, (calls: Call[]) => Response] => [
    `error ${code} for each call`,
    (calls) => Response.json(calls.map(({ id }) => ({ ...limit(code, "limit"), id }))),
  ]),
];

for (const [words, reject] of REJECTIONS) {
  Deno.test(`blockTimes() halves batches that a node rejects by ${words}`, async () => {
    await using node = startBlockServer({
      respond: (calls) => calls.length > 30 ? reject(calls) : undefined,
    });
    const blocks = range(1, 60);
    assertEquals(textOf(await blockTimes(node.url, blocks)), expected(blocks));
    assertEquals(sizes(node), [60, 30, 30]);
  });
}

Deno.test("blockTimes() throws where a node rejects single calls too", async () => {
  await using node = startBlockServer({ respond: () => Response.json(tooLarge) });
  const ask = (retries: number) => () =>
    blockTimes(node.url, range(1, 4), { retries, backoffBaseMs: 0 });
  const error = await assertRejects(ask(0), ServiceError);
  assert(error.message.includes("JSON-RPC -32005") && error.message.includes("rateLimit"));
  assertEquals(sizes(node), [4, 2, 1]);
  node.requests.length = 0;
  await assertRejects(ask(3), ServiceError);
  assertEquals(sizes(node), [4, 2, 1, 1, 1, 1]);
});

Deno.test("blockTimes() rejects responses about another block, and impossible timestamps", async () => {
  const about = (block: unknown) => nodeThat(() => ({ result: block }));
  const ask = () => blockTimes(about({ number: "0x8", timestamp: "0x65000000" }), [7]);
  const mismatch = await assertRejects(ask, MismatchError);
  assertEquals([mismatch.field, mismatch.asked, mismatch.answered], ["number", "7", "8"]);
  for (
    const block of [
      { number: "0x7", timestamp: `0x${1_700_000_000_000n.toString(16)}` },
      { number: "0x7", timestamp: 1_700_000_000 },
      { number: "0x7", timestamp: "0x" },
      { number: "0x7" },
      { timestamp: "0x65000000" },
      "0x7",
    ]
  ) {
    await assertRejects(() => blockTimes(about(block), [7]), HttpStatusError);
  }
  await using node = startBlockServer({ secondsOf: (block) => 1_700_000_000 - block });
  const backwards = await assertRejects(() => blockTimes(node.url, [8, 7]), MismatchError);
  assertEquals([backwards.field, backwards.asked, backwards.answered], [
    "timestamp of block 8",
    "at least 1699999993",
    "1699999992",
  ]);
});

Deno.test("blockTimes() leaves out a block that the node reports as not found or pruned", async () => {
  const ask = (code: number, message: string) =>
    blockTimes(nodeThat(() => ({ error: { code, message } })), [7]);
  assertEquals((await ask(-39001, "Unknown block")).size, 0);
  assertEquals((await ask(4444, "pruned")).size, 0);
  await assertRejects(() => ask(-32000, "pruned"), ServiceError, "pruned");
});

Deno.test("blockTimes() rejects invalid blocks, nodes and options", async () => {
  const ask = (source: unknown, blocks: unknown, options: object = {}) => () =>
    blockTimes(source as NodeSource, blocks as number[], options);
  const node = "https://node.example";
  for (const block of [-1, 1.5, NaN, "7", 7n, 2 ** 53]) {
    await assertRejects(ask(node, [block]), InputError, "is not a block number");
  }
  for (const source of [null, undefined, 7, {}, { rpc: 7 }]) {
    await assertRejects(ask(source, [7]), InputError, "the source is not a node");
  }
  await assertRejects(ask("wss://node.example", [7]), InputError, "not an http URL");
  await assertRejects(ask(node, 7), InputError, "block times from");
  await assertRejects(ask(node, [7], { cachefolder: "x" }), InputError, "cacheFolder");
  await assertRejects(ask(node, [7], { cacheFolder: 7 }), InputError, "cacheFolder");
  await assertRejects(ask(node, [7], { cacheFolder: "" }), InputError, "the folder is empty");
});

inFolder.test("blockTimes() resumes after an interruption with what was stored", async (cacheFolder) => {
  await using node = startBlockServer({
    respond: (_, count) => count === 5 ? new Response("down", { status: 500 }) : undefined,
  });
  const options = { cacheFolder, retries: 0, concurrency: 1 };
  const get = () => blockTimes(node.url, range(1, 600), options);
  // Requests 1 and 2 identify the chain, 3 and 4 bring 200 blocks, 5 fails.
  await assertRejects(get, HttpStatusError);
  assertEquals(node.requests.length, 5);
  assertEquals(textOf(await get()), expected(range(1, 600)));
  assertEquals(node.asked(), 300 + 400);
});

inFolder.test("blockTimes() with a cache requests each block once, those of damaged lines again, and no others", async (cacheFolder) => {
  await using node = startBlockServer();
  const folder = `${cacheFolder}/new/folder`;
  const ask = (blocks: number[]) => blockTimes(node.url, blocks, { cacheFolder: `${folder}/` });
  assertEquals(textOf(await ask(range(1, 15))), expected(range(1, 15)));
  const get = () => ask(range(1, 20));
  assertEquals(textOf(await get()), expected(range(1, 20)));
  assertEquals(node.asked(), 20);
  const [file] = await Array.fromAsync(Deno.readDir(folder));
  const name = `${folder}/${file!.name}`;
  const lines = (await Deno.readTextFile(name)).split("\n");
  const at = (block: number) => lines.findIndex((line) => line.startsWith(`[${block},`));
  lines[at(3)] = lines[at(3)]!.replace(/\[3,17/, "[3,16");
  lines[at(4)] = lines[at(4)]!.slice(0, 12);
  lines[at(5)] = "\0\0\0\ufffd [] {}";
  // The last line is cut short, as by a crash.
  await Deno.writeTextFile(name, lines.join("\n").trimEnd().slice(0, -3));
  assertEquals(textOf(await get()), expected(range(1, 20)));
  assertEquals(node.asked(), 20 + 4);
  assertEquals(textOf(await get()), expected(range(1, 20)));
  assertEquals(node.asked(), 20 + 4);
});

inFolder.test("blockTimes() keeps chains apart, also those of one id", async (cacheFolder) => {
  await using main = startBlockServer();
  await using other = startBlockServer({ chainId: 101, secondsOf: (block) => block });
  await using local = startBlockServer({
    firstHash: `0x${"ef".repeat(32)}`,
    secondsOf: (block) => 5 * block,
  });
  const first = (url: string) => blockTimes(url, [7], { cacheFolder });
  for (let round = 0; round < 2; round++) {
    const seconds = [];
    for (const { url } of [main, other, local]) {
      seconds.push((await first(url)).get(7)!.epochMilliseconds / 1_000);
    }
    assertEquals(seconds, [secondsOfBlock(7), 7, 35]);
  }
  assertEquals([main, other, local].map((one) => one.asked()), [1, 1, 1]);

  // What is cached of a fork, whose first block is the same, is discarded.
  const shifted = (block: number) => secondsOfBlock(block) + 1_000_000;
  await using fork = startBlockServer({ secondsOf: shifted, chainId: 102 });
  await using node = startBlockServer({ chainId: 102 });
  await first(fork.url);
  for (let round = 0; round < 2; round++) {
    assertEquals(textOf(await blockTimes(node.url, [7, 8], { cacheFolder })), expected([7, 8]));
  }
});

inFolder.test("blockTimes() does not cache a chain in the same process that nothing identifies", async (cacheFolder) => {
  const sourceOf = (shift: number, hash: string | null) =>
    nodeThat(({ method, params: [number] }) => {
      if (method === "eth_chainId") return { result: "0x1" };
      if (number === "0x0" && hash === null) return { error: { code: 4444, message: "pruned" } };
      return { result: { number, hash, timestamp: `0x${(1_700_000_000 + shift).toString(16)}` } };
    });
  const secondsOf = async (source: NodeSource) =>
    (await blockTimes(source, [7], { cacheFolder })).get(7)!.epochMilliseconds / 1_000;
  assertEquals(await secondsOf(sourceOf(1, null)), 1_700_000_001);
  assertEquals(await secondsOf(sourceOf(2, null)), 1_700_000_002);
  assertEquals(await secondsOf(sourceOf(3, `0x${"12".repeat(32)}`)), 1_700_000_003);
  assertEquals(await secondsOf(sourceOf(4, `0x${"12".repeat(32)}`)), 1_700_000_003);
  const names = await Array.fromAsync(Deno.readDir(cacheFolder), ({ name }) => name);
  assertEquals(names, ["1_12121212_block_times_0.lines"]);
});

inFolder.test("blockTimes() requests a young block again, which may have been replaced", async (cacheFolder) => {
  const { promise: never } = Promise.withResolvers<void>();
  let nowMs = 0;
  let shift = 0;
  await using node = startBlockServer({ secondsOf: (block) => secondsOfBlock(block) + shift });
  const options = {
    cacheFolder,
    clock: { now: () => nowMs, sleep: () => never, isVirtual: true },
  };
  const get = async () =>
    (await blockTimes(node.url, [500, 1_000], options)).get(1_000)!.epochMilliseconds / 1_000;
  nowMs = (secondsOfBlock(1_000) + 60) * 1_000;
  assertEquals(await get(), secondsOfBlock(1_000));
  shift = 1;
  nowMs += 5 * 60_000;
  assertEquals(await get(), secondsOfBlock(1_000));
  assertEquals(node.asked(), 2);
  nowMs += 6 * 60_000;
  assertEquals(await get(), secondsOfBlock(1_000) + 1);
  // Block 500 was old enough from the start.
  assertEquals(node.asked(), 3);
  nowMs += 3_600_000;
  assertEquals(await get(), secondsOfBlock(1_000) + 1);
  nowMs += 3_600_000;
  assertEquals(await get(), secondsOfBlock(1_000) + 1);
  assertEquals(node.asked(), 4);
});

inFolder.test("blockTimes() called twice at once shares one cache without tearing it", async (cacheFolder) => {
  await using node = startBlockServer();
  const get = (blocks: number[]) => blockTimes(node.url, blocks, { cacheFolder });
  const found = await Promise.all([1, 301].map((first) => get(range(first, 600))));
  assertEquals(found.map(({ size }) => size), [600, 600]);
  const asked = node.asked();
  assertEquals(textOf(await get(range(1, 900))), expected(range(1, 900)));
  assertEquals(node.asked(), asked);
});

inFolder.test("blockTimes() neither shows nor stores a key of the URL, and rejects a folder that cannot be used", async (cacheFolder) => {
  const key = "9f3kd82hs71ma0q4";
  await using node = startBlockServer({
    respond: (calls) =>
      calls.some(({ params }) => params[0] === "0x9")
        ? new Response(`no project ${key}`, { status: 403 })
        : undefined,
  });
  const get = (block: number) =>
    blockTimes(`${node.url}/v3/${key}?apiKey=${key}`, [block], { cacheFolder });
  assertEquals((await get(7)).size, 1);
  const error = await assertRejects(() => get(9), Error);
  for (const text of textsOf(error)) assert(!text.includes(key));
  for await (const { name } of Deno.readDir(cacheFolder)) {
    for (const text of [name, await Deno.readTextFile(`${cacheFolder}/${name}`)]) {
      assert(!text.includes(key));
    }
  }
  await Deno.writeTextFile(`${cacheFolder}/file`, "");
  const unusable = () => blockTimes(node.url, [7], { cacheFolder: `${cacheFolder}/file` });
  await assertRejects(unusable, InputError, "Cannot cache responses of a node in the folder");
});

Deno.test("blockTimes() rejects a batch with no response, or several, to a call", async () => {
  const cases: [fault: string, answers: (calls: Call[]) => unknown[]][] = [
    ["it has none to any call", () => []],
    [
      "it has none to any call",
      (calls) => calls.map((one) => answerTo({ ...one, id: one.id + 7 })),
    ],
    ["it has several to call 0", (calls) => [...calls, ...calls].map(answerTo)],
  ];
  for (const [fault, answers] of cases) {
    await using node = startBlockServer({ respond: (calls) => Response.json(answers(calls)) });
    await assertRejects(() => blockTimes(node.url, [100, 101]), HttpStatusError, fault);
  }
});

Deno.test("blockTimes() requests again what a node omits from a response", async () => {
  await using node = startBlockServer({
    respond: (calls, count) =>
      count > 2
        ? undefined
        : Response.json(calls.map(answerTo).filter((_, place) => place % 3 === 0)),
  });
  const blocks = range(1, 30);
  assertEquals(textOf(await blockTimes(node.url, blocks)), expected(blocks));
  assertEquals(sizes(node), [30, 20, 13]);
});

Deno.test("blockTimes() sends up to `concurrency` requests at once", async () => {
  for (const [concurrency, most] of [[1, 1], [3, 3], [undefined, 4]] as const) {
    let [running, highest] = [0, 0];
    const { rpc } = nodeThat(({ params: [number] }) => ({ result: blockOf(number) }));
    const source: NodeSource = {
      rpc: async (calls) => {
        highest = Math.max(highest, ++running);
        await new Promise((resolve) => setTimeout(resolve, 0));
        running--;
        return await rpc(calls);
      },
    };
    const options = concurrency === undefined ? {} : { concurrency };
    assertEquals(textOf(await blockTimes(source, range(1, 900), options)), expected(range(1, 900)));
    assertEquals(highest, most);
  }
  const node = { rpc: () => Promise.reject(new Error("not asked")) };
  await assertRejects(() => blockTimes(node, [1], { concurrency: 65 }), InputError, "concurrency");
});

Deno.test("blockTimes() rejects responses of an object that are not JSON-RPC", async () => {
  for (const answer of [{ error: null }, { error: "no" }, { error: {} }, { result: undefined }]) {
    const ask = () => blockTimes(nodeThat(() => answer as RpcAnswer), [1, 2]);
    await assertRejects(ask, HttpStatusError, "`rpc` did not return one answer per call");
  }
});

Deno.test("blockTimes() hides keys of letters alone, but no ordinary part of a URL", async () => {
  const words = "optimism-mainnet";
  for (const key of ["abcdefghijklmnopqrstuvwx", "QmZvbXcRtYuIoPaS"]) {
    const fetch = () => Promise.resolve(new Response(`no ${key} at ${words}`, { status: 500 }));
    const asked = () =>
      blockTimes(`https://node.example/${words}/${key}`, [1], { fetch, retries: 0 });
    const error = await assertRejects(asked, HttpStatusError);
    for (const text of textsOf(error)) assert(!text.includes(key));
    assert(error.body.includes(words));
  }
});
