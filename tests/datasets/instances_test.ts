import { readdir } from "node:fs/promises";
import { connect, InputError } from "orderlens";
import { getInstance } from "orderlens/endpoints";
import {
  type DatasetManifest,
  exportDataset,
  mergeDatasets,
  openDataset,
  planExport,
  rebuildDataset,
  verifyDataset,
} from "orderlens/datasets";
import { explorer } from "orderlens/explorer";
import type { HttpResponse } from "orderlens/http";
import { openMarket } from "orderlens/market";
import { openSandbox } from "orderlens/sandbox";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { INSTANCE_TABLES } from "../../lib/datasets/shards/published_tables.ts";
import { formatExportCommand, formatGaps } from "../../lib/datasets/state/dataset_gaps.ts";
import { inFolder, withFolder } from "../sandbox/temp_folder.ts";
import { type Change, changedBook } from "./altered_book.ts";
import { folderBytes, LATER, presentIn, rowsOf } from "./exported.ts";

const sandbox = await openSandbox({ seed: 7, auctions: 24 });
const { transport } = connect(sandbox);
const latest = JSON.parse(
  (await transport.send({ method: "GET", path: "/api/v2/solver_competition/latest" })).body,
).auctionId;
const OPTIONS = {
  auctions: { from: latest - 9, to: latest },
  tables: ["auctions", "orders", "trades", "bids", ...INSTANCE_TABLES],
  debugReports: false,
  instances: "/instances",
};
const { instances: _, ...WITHOUT } = {
  ...OPTIONS,
  tables: OPTIONS.tables.filter((name) => !INSTANCE_TABLES.includes(name)),
};

/** A book of the sandbox whose responses are changed on their way. */
function book(change?: Change) {
  const { baseUrl } = transport;
  const { deployment } = sandbox;
  const source = { baseUrl, deployment, send: transport.send.bind(transport) };
  return changedBook(source as unknown as Parameters<typeof changedBook>[0], change, LATER);
}

/** A change of the instances of some auctions. */
function changeInstances(
  ids: readonly number[],
  change: (text: string) => Partial<HttpResponse>,
): Change {
  return ({ path }, response) => {
    const id = Number(/^\/instances\/(\d+)\.json$/.exec(path)?.[1]);
    return ids.includes(id) ? { ...response, ...change(response.body) } : response;
  };
}

/** The same, of their parsed bodies. */
// deno-lint-ignore no-explicit-any -- any field may be altered
function alterInstances(ids: readonly number[], alter: (body: any) => void): Change {
  return changeInstances(ids, (text) => {
    const body = JSON.parse(text);
    alter(body);
    return { body: JSON.stringify(body) };
  });
}

const whole = await withFolder(async (folder) => {
  const { manifest } = await exportDataset(book(), folder, OPTIONS);
  return { manifest, bytes: await folderBytes(folder), ids: presentIn(manifest) };
});
const [first = 0, second = 0, third = 0] = whole.ids;

inFolder.test("exportDataset() stores the instance of every auction as it was sent, and serves it", async (folder) => {
  const { manifest } = await exportDataset(book(), folder, OPTIONS);
  assert(whole.ids.length > 3);
  assertEquals(manifest.items.instance, { present: whole.ids.length });
  assertEquals(manifest.answers["GET /instances/{id}.json 200"], whole.ids.length);
  assertEquals(manifest.request.instances, "/instances/{id}.json");
  assertEquals([manifest.isComplete, manifest.contradictions], [true, undefined]);
  const dataset = await openDataset(folder);
  for (const id of whole.ids) {
    const request = { method: "GET", path: `/instances/${id}.json` } as const;
    assertEquals((await dataset.send(request)).body, (await transport.send(request)).body);
    assertEquals((await getInstance(dataset, id)).id, id);
  }
  assertEquals((await verifyDataset(folder, { recompute: true })).problems, []);
});

inFolder.test("an export without instances has the same other tables, and names no instance", async (folder) => {
  const { manifest } = await exportDataset(book(), folder, WITHOUT);
  const bytes = await folderBytes(folder);
  const tables = [...bytes].filter(([path]) => path.endsWith(".parquet"));
  assert(tables.length > 0);
  assertEquals(
    tables,
    [...whole.bytes].filter(([path]) => bytes.has(path) && path.endsWith(".parquet")),
  );
  const text = JSON.stringify({ ...manifest, files: [] });
  assert(!/instance/i.test(text), text);
  const card = await Deno.readTextFile(`${folder}/README.md`);
  assert(!/\binstance/i.test(card), card);
  // Instances that are added later are the same as those of the first run.
  await exportDataset(book(), folder, OPTIONS);
  assertEquals(await folderBytes(folder), whole.bytes);
  const omitted = () => exportDataset(book(), folder, WITHOUT);
  await assertRejects(omitted, InputError, "setting: ");
});

inFolder.test("the tables of instances say where limits and roles come from", async (folder) => {
  await exportDataset(book(), folder, OPTIONS);
  const listed = new Map<number, number>();
  for (const id of whole.ids) {
    listed.set(id, (await connect(sandbox).competition(id)).auction.orders.length);
  }
  const instances = await rowsOf(folder, "instances");
  assertEquals(
    instances.map((row) => [row.auction_id, row.order_count, row.jit_owner_count, row.jit_owners]),
    whole.ids.map((id) => [id, listed.get(id), 0, null]),
  );
  const orders = new Map((await rowsOf(folder, "orders")).map((row) => [row.order_uid, row]));
  const rows = await rowsOf(folder, "instance_orders");
  const bids = await rowsOf(folder, "bids");
  const nameOf = (row: Record<string, unknown>) => `${row.auction_id} ${row.order_uid}`;
  assertEquals(rows.map(nameOf), [...new Set(bids.map(nameOf))].sort());
  for (const row of rows) {
    const order = orders.get(row.order_uid)!;
    assertEquals(
      [row.limit_source, row.agrees, row.role, row.role_source, row.gaps],
      ["order", true, "listed", "auction", null],
    );
    const { sell_amount_atoms: sold, buy_amount_atoms: bought } = order;
    assertEquals([row.limit_sell_amount_atoms, row.limit_buy_amount_atoms], [sold, bought]);
    assertEquals([row.instance_sell_amount_atoms, row.instance_buy_amount_atoms], [sold, bought]);
  }
});

inFolder.test("the number of orders of an instance without a list of them is unknown", async (folder) => {
  await exportDataset(book(alterInstances([first], (body) => delete body.orders)), folder, OPTIONS);
  const counts = (await rowsOf(folder, "instances")).map((
    row,
  ) => [row.auction_id, row.order_count]);
  assertEquals(counts[0], [first, null]);
  assertEquals(counts.slice(1).every(([, count]) => Number(count) > 0), true);
  assertEquals((await rowsOf(folder, "instance_orders"))[0]?.agrees, null);
});

inFolder.test("bids of orders without a record have the limit of the instance, and the same values", async (folder) => {
  const without: Change = (request, response) =>
    request.path === "/api/v1/orders/by_uids" ? { ...response, body: "[]" } : response;
  await exportDataset(book(without), folder, OPTIONS);
  const rows = await rowsOf(folder, "instance_orders");
  assert(rows.length > 0);
  assertEquals(new Set(rows.map((row) => row.limit_source)), new Set(["instance"]));
  const columns = "auction_id ranking order_uid kind surplus_atoms over_limit_bps filled_fraction"
    .split(" ");
  const select = (bids: Record<string, unknown>[]) =>
    bids.map((row) => columns.map((column) => row[column]));
  const recorded = await withFolder(async (other) => {
    await exportDataset(book(), other, OPTIONS);
    return select(await rowsOf(other, "bids"));
  });
  assertEquals(select(await rowsOf(folder, "bids")), recorded);
  const { problems, recomputed } = await verifyDataset(folder, { recompute: true });
  assertEquals(problems, []);
  assertEquals(recomputed?.differing, []);
  // Scores are bounds by the limits alone, since policies are in reports; none lacks its order.
  assertEquals(recomputed?.scores.differing, []);
  const bare = await withFolder(async (other) => {
    await exportDataset(book(without), other, WITHOUT);
    return select(await rowsOf(other, "bids"));
  });
  assertEquals(
    new Set(bare.map(([, , , kind, surplus]) => `${kind} ${surplus}`)),
    new Set(["null null"]),
  );
});

inFolder.test("openMarket() of a dataset with instances derives tables with them", async (folder) => {
  const without: Change = (request, response) =>
    request.path === "/api/v1/orders/by_uids" ? { ...response, body: "[]" } : response;
  await exportDataset(book(without), folder, OPTIONS);
  await using market = await openMarket(folder, { last: 10 });
  const rows = (await market.instanceOrders()).toRecords();
  assert(rows.length > 0);
  assertEquals(new Set(rows.map((row) => row.limit_source)), new Set(["instance"]));
  const gaps = (await market.describe()).missing.filter((text) => text.includes("nstance"));
  assertEquals(gaps, []);
  const request = new Request(`http://localhost/auctions/${third}.json`);
  const page = await (await explorer(await openDataset(folder)).fetch(request)).json();
  assertEquals(page.instance, (await market.auction(third)).instance);
  assert(page.instance.limits > 0);
  await using live = await openMarket(sandbox, { instances: "/instances" });
  const derived = (await live.instanceOrders()).toRecords();
  assertEquals(new Set(derived.map((row) => row.limit_source)), new Set(["order"]));
  const { replay, instance } = await market.auction(third);
  const bidUids = (await connect(sandbox).competition(third)).solutions
    .flatMap(({ orders }) => orders.map(({ id }) => id));
  assertEquals(instance, { limits: new Set(bidUids).size, hasOwners: true });
  assertEquals(replay?.agrees, true);
  const refusing = changeInstances([third], () => ({ status: 403, body: "AccessDenied" }));
  await using refused = await openMarket(book(refusing), { instances: "/instances" });
  const [gap] = (await refused.describe()).missing.filter((text) => text.includes("nstance"));
  assertStringIncludes(
    gap!,
    "1 auction: their store does not have them, or no longer, refuses them",
  );
  await using plain = await openMarket(sandbox);
  assertEquals((await plain.auction(third)).instance, undefined);
  assertEquals((await plain.instances()).height, 0);
});

inFolder.test("an export without its state, a rebuilt one and merged halves have the same bytes", async (folder) => {
  const { from, to } = OPTIONS.auctions;
  await exportDataset(book(), `${folder}/whole`, OPTIONS);
  await Deno.remove(`${folder}/whole/.orderlens`, { recursive: true });
  let asked = 0;
  const counting: Change = ({ path }, response) => {
    if (path.startsWith("/instances/")) asked++;
    return response;
  };
  await exportDataset(book(counting), `${folder}/whole`, OPTIONS);
  assertEquals(await folderBytes(`${folder}/whole`), whole.bytes);
  assertEquals(asked, 0);
  await rebuildDataset(`${folder}/whole`, { into: `${folder}/again` });
  assertEquals(await folderBytes(`${folder}/again`), whole.bytes);
  const halves = [[from, from + 4], [from + 5, to]] as const;
  for (const [index, [from, to]] of halves.entries()) {
    await exportDataset(book(), `${folder}/${index}`, { ...OPTIONS, auctions: { from, to } });
  }
  await mergeDatasets([`${folder}/0`, `${folder}/1`], `${folder}/merged`);
  const merged = await folderBytes(`${folder}/merged`);
  const contents = [...whole.bytes].filter(([path]) => /^(?:raw|.*\.parquet$)/.test(path));
  assertEquals([...merged].filter(([path]) => /^(?:raw|.*\.parquet$)/.test(path)), contents);
});

inFolder.test("an export is stopped between instances, and continues with the rest", async (folder) => {
  const limited = { ...OPTIONS, maxRequests: 17, concurrency: 1 };
  for (let run = 0; run < 9; run++) {
    const { stopped } = await exportDataset(book(), folder, limited);
    if (stopped === null) break;
  }
  await exportDataset(book(), folder, OPTIONS);
  assertEquals(await folderBytes(folder), whole.bytes);
});

Deno.test("no file of an export has the credentials or the query of a store", async () => {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const { pathname } = new URL(request.url);
    return await sandbox.fetch(`http://x/instances/${pathname.split("/").at(-1)}`);
  });
  const host = `127.0.0.1:${server.addr.port}`;
  const instances = `http://reader:open-sesame-42@${host}/prod/{id}.json?sig=fedcba9876543210`;
  await withFolder(async (folder) => {
    const { manifest } = await exportDataset(book(), folder, { ...OPTIONS, instances });
    assertEquals(manifest.request.instances, `http://${host}/prod/{id}.json`);
    assertEquals(manifest.items.instance, { present: whole.ids.length });
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = `${entry.parentPath}/${entry.name}`;
      const bytes = new TextDecoder("latin1").decode(await Deno.readFile(path));
      for (const secret of ["open-sesame-42", "fedcba9876543210"]) {
        assert(!bytes.includes(secret), path);
      }
    }
  });
  await server.shutdown();
});

inFolder.test("an export counts instances that a store lacks or refuses, and requests them again", async (folder) => {
  const page = "<Error><Code>AccessDenied</Code></Error>";
  const missing = changeInstances([first], () => ({ status: 404, body: "NoSuchKey" }));
  const refused = changeInstances([second], () => ({ status: 403, body: page }));
  const gone = book((request, response) => refused(request, missing(request, response)));
  const { manifest } = await exportDataset(gone, folder, OPTIONS);
  const present = whole.ids.length - 2;
  assertEquals(manifest.items.instance, { absent: 1, failed: 1, present });
  assertEquals(manifest.failures.map(({ kind, key }) => [kind, key]), [["instance", `${second}`]]);
  assertStringIncludes(manifest.failures[0]!.reason, "denies access");
  assertEquals(manifest.isComplete, false);
  const gaps = formatGaps(manifest).join("\n");
  assertStringIncludes(
    gaps,
    `Instances of ${present} auctions are here; 1 that their store does not have, or no longer ` +
      "(absent), 1 that it refused or that cannot be read",
  );
  const { manifest: repaired } = await exportDataset(book(), folder, OPTIONS);
  assertEquals(repaired.items.instance, { present: whole.ids.length });
  assertEquals(await folderBytes(folder), whole.bytes);
});

inFolder.test("a store that fails ends no export, and the next run gets the instances", async (folder) => {
  const down = changeInstances(whole.ids, () => ({ status: 400, body: "down" }));
  const { manifest } = await exportDataset(book(down), folder, OPTIONS);
  assertEquals(manifest.items.instance, { failed: whole.ids.length });
  assertEquals(manifest.ids.present, whole.manifest.ids.present);
  await exportDataset(book(), folder, OPTIONS);
  assertEquals(await folderBytes(folder), whole.bytes);
});

Deno.test("openMarket() of a dataset derives tables without instances that cannot be read", async () => {
  const text = { contentType: "text/html", body: "<html>" };
  for (const unreadable of [{ body: "[]" }, { body: '{"orders":"many"}' }, text]) {
    await withFolder(async (folder) => {
      const { manifest } = await exportDataset(
        book(changeInstances([first], () => unreadable)),
        folder,
        OPTIONS,
      );
      assertEquals(manifest.items.instance, { failed: 1, present: whole.ids.length - 1 });
      await using market = await openMarket(folder, { last: 10 });
      assertEquals((await market.instances()).height, whole.ids.length - 1);
      const { missing } = await market.describe();
      assertEquals(missing.filter((text) => text.startsWith("Instances of 1 auction:")).length, 1);
    });
  }
});

inFolder.test("an instance of another auction has failed, and its response stays", async (folder) => {
  const other = alterInstances([first], (body) => body.id = String(first + 1));
  const { manifest } = await exportDataset(book(other), folder, OPTIONS);
  assertEquals(manifest.items.instance, { failed: 1, present: whole.ids.length - 1 });
  const [{ kind, key, reason } = { kind: "", key: "", reason: "" }] = manifest.failures;
  assertEquals([kind, key], ["instance", `${first}`]);
  assertEquals(reason, `The store has the instance of auction ${first + 1} as that of ${first}`);
  assertEquals((await verifyDataset(folder, { recompute: true })).problems, []);
  const dataset = await openDataset(folder);
  const { body } = await dataset.send({ method: "GET", path: `/instances/${first}.json` });
  assertEquals(JSON.parse(body).id, String(first + 1));
});

inFolder.test("an instance that contradicts its auction is named with both numbers, and loses", async (folder) => {
  const competition = await connect(sandbox).competition(third);
  const [bid] = competition.solutions.at(-1)!.orders;
  const order = await connect(sandbox).order(bid!.id);
  const price = competition.auction.prices[bid!.sellToken!]!;
  const altered = alterInstances([third], (body) => {
    const stated = body.orders.find(({ uid }: { uid: string }) => uid === bid!.id);
    stated.fullBuyAmount = String(order.buyAmount + 7n);
    body.tokens[bid!.sellToken!].referencePrice = String(price - 1n);
  });
  const { manifest } = await exportDataset(book(altered), folder, OPTIONS);
  const examples = (manifest.contradictions ?? []).map(({ kind, count, examples }) => ({
    kind,
    count,
    examples,
  }));
  assertEquals(examples, [
    {
      kind: "instance_limit",
      count: 1,
      examples: [
        `order ${
          bid!.id
        }: order.buyAmount is ${order.buyAmount}, but instance.orders.fullBuyAmount ` +
        `of auction ${third} is ${order.buyAmount + 7n} (+7)`,
      ],
    },
    {
      kind: "instance_price",
      count: 1,
      examples: [
        `auction ${third}, token ${bid!.sellToken}: competition.auction.prices is ${price}, but ` +
        `instance.tokens.referencePrice is ${price - 1n} (-1)`,
      ],
    },
  ]);
  const bids = `bids/${[...whole.bytes.keys()].find((path) => path.startsWith("bids/"))!.slice(5)}`;
  assertEquals((await folderBytes(folder)).get(bids), whole.bytes.get(bids));
});

inFolder.test("an order of an instance that its auction does not list is a contradiction", async (folder) => {
  const competition = await connect(sandbox).competition(third);
  const bid = competition.solutions.at(-1)!.orders[0]!.id;
  const unlisting: Change = ({ path }, response) => {
    if (path !== `/api/v2/solver_competition/${third}`) return response;
    const body = JSON.parse(response.body);
    body.auction.orders = body.auction.orders.filter((uid: string) => uid !== bid);
    return { ...response, body: JSON.stringify(body) };
  };
  const { manifest } = await exportDataset(book(unlisting), folder, OPTIONS);
  assertEquals(
    manifest.contradictions?.filter(({ kind }) => kind === "instance_order")
      .flatMap(({ examples }) => examples),
    [
      `order ${bid}: competition.auction.orders of auction ${third} is without it, but ` +
      "instance.orders is with it",
    ],
  );
});

Deno.test("exportDataset() gets the instances of the auctions that settled single orders", async () => {
  const competition = await connect(sandbox).competition(third);
  const uid = competition.solutions.find(({ txHash }) => txHash != null)!.orders[0]!.id;
  await withFolder(async (folder) => {
    const { auctions: _, ...options } = OPTIONS;
    const { manifest } = await exportDataset(book(), folder, {
      ...options,
      uids: [uid],
    });
    const auctions = manifest.items.transaction?.present ?? 0;
    assert(auctions > 0);
    assertEquals(manifest.items.instance, { present: auctions });
    assertEquals((await verifyDataset(folder, { recompute: true })).problems, []);
  });
});

inFolder.test("verifyDataset() requests instances again, and knows that a store drops them", async (folder) => {
  await exportDataset(book(), folder, OPTIONS);
  const other = alterInstances([first], (body) => body.orders[0].fullSellAmount += "0");
  const gone = changeInstances([second], () => ({ status: 404, body: "NoSuchKey" }));
  const shut = changeInstances([third], () => ({ status: 403, body: "AccessDenied" }));
  const changed = book((request, response) =>
    shut(request, gone(request, other(request, response)))
  );
  const { refetched, problems } = await verifyDataset(folder, {
    book: changed,
    refetch: whole.ids.length,
    seed: 1,
  });
  assertEquals([refetched?.instances, refetched?.differingInstances], [whole.ids.length, [first]]);
  assertEquals(refetched?.changed.filter((text) => text.startsWith("instance")).sort(), [
    `instance of auction ${second}: its store has it no longer`,
    `instance of auction ${third}: its store refuses it, with status 403`,
  ]);
  assertEquals(problems, [{
    file: "raw",
    problem: `the instance of auction ${first} has a different response today`,
  }]);
});

Deno.test("planExport() and the command of a dataset name the instances", async () => {
  const { requests } = await planExport(book(), OPTIONS);
  assertEquals(
    requests.find(({ route }) => route === "GET /instances/{id}.json")?.count,
    OPTIONS.auctions.to - OPTIONS.auctions.from + 1,
  );
  assertStringIncludes(
    formatExportCommand(whole.manifest),
    " --instances '/instances/{id}.json'",
  );
  const secret = {
    ...OPTIONS,
    instances: "https://name:password@host.example/{id}?sig=0123456789",
  };
  const { request }: Pick<DatasetManifest, "request"> = {
    request: (await import("../../lib/datasets/export/prepare_export.ts")).toRequest(secret),
  };
  assertEquals(request.instances, "https://host.example/{id}");
});

Deno.test("exportDataset() rejects a store that is no URL, and its tables without it", async () => {
  const reject = (options: object, text: string) =>
    assertRejects(() => planExport(book(), { ...OPTIONS, ...options }), InputError, text);
  await reject({ instances: "bucket" }, 'Cannot get instances from "bucket"');
  await reject({ instances: 7 }, "instances");
  if (INSTANCE_TABLES.length > 0) {
    await reject({ instances: undefined }, `the table ${INSTANCE_TABLES[0]} without instances`);
  }
});
