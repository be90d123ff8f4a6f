import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { replay } from "../../lib/recordings/mod.ts";
import { openSandbox } from "../../lib/sandbox/mod.ts";
import { COPY_SCRIPT } from "../../lib/reports/page/html_cell.ts";
import { createRandom } from "../../tools/fuzz/mutate_body.ts";
import { refuseReports } from "../../tools/metrics/check_verdicts.ts";
import { ask, askJson, askSql, market, sourceOf } from "./explore.ts";
import { explorer } from "../../lib/explorer/mod.ts";
import { cannedBook, orderBody, uidOf } from "../reports/canned_book.ts";

const { recording: RECORDING, own } = await market();

const UID =
  "0x819a1385a8a7fc93bbdffe4c2a2321fe87b92bbda3601cf692ddedd172b9f46ad217e8a0924a6806c7616a4ab0c39df86e0bf8896b01b8f3";
const OWNER = "0xae8be95be03288071217078950278910001dcbc8";
const WETH = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
const SOLVER_B = "0x9315fc8ffae493123b9b6b1c93d50c9b9eef0344";
const SETTLEMENT = "0x8c4dbf8f11a525cc6ae5dce55efa57ccc0fd2f8c67627655bde96768a1ca7504";

const PAGES: readonly (readonly [path: string, heading: RegExp])[] = [
  ["/", /market_1/],
  ["/orders", /938 orders/],
  ["/auctions", /569 auctions/],
  ["/trades", /664 trades/],
  ["/live", /market_1/],
  ["/sql", /market_1/],
  ["/dataset", /569 auctions and 938 orders/],
  ["/solvers", /4 solvers/],
  ["/pairs", /20 directed pairs/],
  ["/tokens", /5 tokens/],
  [`/orders/${UID}`, /expired/i],
  [`/orders/${UID.toUpperCase().replace("0X", "0x")}`, /expired/i],
  ["/auctions/2624", /./],
  [`/solvers/${SOLVER_B}`, /./],
  [`/accounts/${OWNER}`, /./],
  [`/transactions/${SETTLEMENT}`, /./],
  [`/tokens/${WETH}`, /396 orders/],
];

for (const [path, heading] of PAGES) {
  Deno.test(`${path.slice(0, 40)} is a page whose links stay inside and which runs its own scripts at most`, async () => {
    const page = await ask(path);
    assertEquals(page.status, 200);
    assertEquals(page.headers.get("content-type"), "text/html; charset=utf-8");
    assert(heading.test(page.heading), page.heading);
    const links = [...page.text.matchAll(/(?:href|src|action)="([^"]*)"/g)].map(([, link]) =>
      link!
    );
    assertEquals(links.filter((link) => !/^(?:[/#](?!\/)|data:image)/.test(link)), []);
    const scripts = [...page.text.matchAll(/<script(?! type="application\/json")/g)];
    const hasScript = /^\/(?:live|dataset|solvers\/.*|tokens\/.*)?$/.test(path);
    // Every page has the script that copies.
    assertEquals(scripts.length, hasScript ? 2 : 1);
    assertStringIncludes(page.text, 'accesskey="s"');
    assertStringIncludes(page.text, 'class="skip"');
    const { length } = new TextEncoder().encode(page.text);
    assert(length <= 300_000, `${length} bytes`);
  });
}

Deno.test("the page of an order has pictures, and is quicker without them", async () => {
  assertStringIncludes((await ask(`/orders/${UID}`)).text, "<svg");
  const plain = (await ask(`/orders/${UID}?pictures=no`)).text;
  assert(!plain.includes("<svg"));
  assertStringIncludes(plain, `<a href="/orders/${UID}">With pictures</a>`);
});

Deno.test("every kind of page is also JSON", async () => {
  const order = await askJson(`/orders/${UID}.json`);
  assertEquals([order.schema, order.uid], ["orderlens/inspect@1", UID]);
  for (const path of PAGES.slice(9).map(([path]) => path)) await askJson(`${path}.json`);
  assertEquals((await askJson("/orders.json")).total, 938);
  assertEquals((await askJson("/dataset.json")).name, "market_1");
});

Deno.test("search leads to what a text names, by its kind", async () => {
  const led = async (text: string) => {
    const { status, headers } = await ask(`/search?q=${encodeURIComponent(text)}`);
    return [status, headers.get("location")];
  };
  assertEquals(await led(UID), [302, `/orders/${UID}`]);
  assertEquals(await led(`https://explorer.cow.fi/orders/${UID}?tab=1`), [302, `/orders/${UID}`]);
  assertEquals(await led(` ${SETTLEMENT} `), [302, `/transactions/${SETTLEMENT}`]);
  assertEquals(await led("2624"), [302, "/auctions/2624"]);
  assertEquals(await led(OWNER), [302, `/accounts/${OWNER}`]);
  assertEquals(await led(SOLVER_B), [302, `/solvers/${SOLVER_B}`]);
  assertEquals(await led("SOLVER_B"), [302, `/solvers/${SOLVER_B}`]);
  assertEquals(await led("T0"), [302, "/tokens/0x67d269191c92caf3cd7723f116c85e6e9bf55933"]);
  assertEquals(await led(""), [302, "/"]);
  // As pages print them: cut by style, by the pages of reports, and by the live page.
  for (
    const short of [`${UID.slice(0, 10)}…${UID.slice(-4)}`, `${UID.slice(0, 10)}…${UID.slice(-6)}`]
  ) {
    assertEquals(await led(short), [302, `/orders/${UID}`]);
  }
  assertEquals(await led("0x8c4d...7504"), [302, `/transactions/${SETTLEMENT}`]);
  assertEquals(await led("0x4e04…b27f"), [
    302,
    "/orders/0x4e042b63cc16e729ac5cf8f4d8dc8bcdcc278d6ac538b4ebca2e3809cc21d9f8ba78423395063915fbf92bab6d4c769676f0f55e6b01b27f",
  ]);
  assertEquals(await led(OWNER.slice(0, 12)), [302, `/accounts/${OWNER}`]);
  for (const spelling of SPELLINGS) assertEquals(await led(spelling), [302, `/orders/${UID}`]);
  assertEquals(await led("order 0x4e04…b27f of yesterday"), await led("0x4e04…b27f"));
  assertEquals(await led(OWNER.slice(2)), [302, `/accounts/${OWNER}`]);
});

const SPELLINGS = [
  UID.slice(2),
  `\\x${UID.slice(2).toUpperCase()}`,
  `"${UID}",`,
  `https://dev.explorer.cow.fi/gc/orders/${UID}`,
  `https://barn.explorer.cow.fi/orders/${UID}?tab=overview`,
  `https://staging.explorer.cow.fi/arb1/orders/${UID}/`,
  `https://api.cow.fi/mainnet/api/v1/orders/${UID}`,
];

Deno.test("routes take every spelling of a name, and the names that other explorers give their pages", async () => {
  for (const name of [UID.slice(2), encodeURIComponent(`\\x${UID.slice(2)}`)]) {
    assertMatch((await ask(`/orders/${name}`)).heading, /expired/i);
  }
  const led = async (path: string) => (await ask(path)).headers.get("location");
  assertEquals(await led(`/order/${UID}`), `/orders/${UID}`);
  assertEquals(await led(`/order/${UID}.json?pictures=no`), `/orders/${UID}.json?pictures=no`);
  assertEquals(await led(`/tx/${SETTLEMENT}`), `/transactions/${SETTLEMENT}`);
  assertEquals(await led(`/address/${OWNER}`), `/accounts/${OWNER}`);
  assertEquals(await led("/auction/2624"), "/auctions/2624");
  assertEquals(
    await led(`/orders/${encodeURIComponent(`${UID.slice(0, 10)}…${UID.slice(-6)}`)}`),
    `/orders/${UID}`,
  );
});

Deno.test("search for what is not there says what can be searched for, and escapes it", async () => {
  const page = await ask(`/search?q=${encodeURIComponent('<img src=x onerror="alert(1)">')}`);
  assertEquals(page.status, 404);
  assertStringIncludes(page.heading, "Nothing here is called");
  assertStringIncludes(page.text, "an order UID");
  assert(!page.text.includes("<img"));
});

Deno.test("what does not exist is a page that says why and what to do", async () => {
  const unknown = `0x${"12".repeat(56)}`;
  for (
    const [path, status] of [
      [`/orders/${unknown}`, 404],
      ["/orders/0x12", 400],
      ["/auctions/3000000", 404],
      ["/auctions/x", 400],
      [`/transactions/0x${"34".repeat(32)}`, 404],
      ["/elsewhere", 404],
      ["/orders?colour=red", 400],
      ["/orders?status=open&status=expired", 400],
      [`/orders?text=${"a".repeat(300)}`, 400],
    ] as const
  ) {
    const page = await ask(path);
    assertEquals([path, page.status], [path, status]);
    assertStringIncludes(page.text, "What to do");
  }
});

Deno.test("a token without a price has a page", async () => {
  const sandbox = await openSandbox({ seed: 7, auctions: 20 });
  const from = explorer(sandbox);
  const [token] = sandbox.description.unsupportedTokens;
  assertEquals((await ask(`/tokens/${token!.address}`, { from })).status, 200);
});

Deno.test("the page of an auction leads to those beside it", async () => {
  const { text } = await ask("/auctions/2618");
  assertMatch(text, /href="\/auctions\/2615"\s+rel="prev"/);
  assertMatch(text, /href="\/auctions\/2623"\s+rel="next"/);
  const newest = await ask("/auctions/2624");
  assert(!newest.text.includes('rel="next"'));
});

Deno.test("the first page has totals to the atom, and pictures", async () => {
  const { text } = await ask("/");
  assertStringIncludes(text, "661 filled, 241 expired, 33 cancelled, 3 open");
  const { volume } = await askSql("SELECT sum(volume_atoms)::VARCHAR AS volume FROM fills");
  assertStringIncludes(text, `title="${volume} native atoms"`);
  for (const id of ["volume", "solvers", "auctions", "orders"]) {
    assertStringIncludes(text, `<section id="${id}"`);
  }
  assert(!text.includes("left out of this page"));
});

Deno.test("a page with an exploration may run its script, by its hash, and no other but what copies", async () => {
  const { headers, text } = await ask("/");
  const [script, copy, ...others] = [...text.matchAll(/<script>(.*?)<\/script>/gs)].map(
    ([, script]) => script!,
  );
  assertEquals([copy, others], [COPY_SCRIPT, []]);
  const source = `script-src ${await sourceOf(copy!)} ${await sourceOf(script!)}`;
  assertStringIncludes(headers.get("content-security-policy")!, source);
  assertStringIncludes(text, source);
});

/** Requests; `ORDERLENS_FUZZ=100000` sends as many. */
const COUNT = Number(Deno.env.get("ORDERLENS_FUZZ") ?? 300);
const SEED = Number(Deno.env.get("ORDERLENS_FUZZ_SEED") ?? 20_261_122);

const { orderUids, txHashes, auctionIds, accounts } = RECORDING.recorded;
const NAMES = [
  ...orderUids.slice(0, 20),
  ...txHashes.slice(0, 5),
  ...auctionIds.slice(0, 5).map(String),
  ...accounts.slice(0, 5),
  "0x",
  `0x${"0".repeat(112)}`,
  "99999999999999999999",
  "-1",
  "WETH",
  "latest",
];
const PARTS = [
  ...["orders", "auctions", "solvers", "accounts", "transactions", "tokens", "trades", "live"],
  ...["dataset", "search", "events", "..", ".", "%2e%2e", "%2f", "%00", "%", "%zz", "%c0%ae", "~"],
  ..."etc passwd deno.json __proto__ constructor toString \u202e 💥 ' \"".split(" "),
  ...["<script>", "${7*7}", "{{7*7}}", "\\", ";", "*", ":name", "@", "null", "NaN", " ", "+"],
];
const ENDINGS = ["", ".json", ".csv", "/", "//", "?", "#", ".html", ".json.json", "%20"];
const KEYS = "q page text status verdict token owner solver pictures x".split(" ");
const METHODS = ["HEAD", "POST", "DELETE", "OPTIONS", "PURGE"];
const LISTS = ["search", "orders", "auctions", "trades", "live", "dataset", "sql"];
const HOSTS = ["127.0.0.1:80", "[::1]", "evil.example", "localhost@evil.example"];
const HEADERS = ["last-event-id", "accept", "range", "if-none-match", "x-forwarded-host", "cookie"];

Deno.test(`${COUNT} random requests get a page, a file or a refusal, never a fault`, async () => {
  const pick = createRandom(SEED);
  const one = <Value>(values: readonly Value[]): Value => values[pick(values.length)]!;
  const noise = () =>
    String.fromCharCode(...Array.from({ length: pick(8) }, () => 33 + pick(9_000)));
  const piece = () => pick(3) === 0 ? noise() : pick(2) === 0 ? one(NAMES) : one(PARTS);
  const path = () => {
    const parts = Array.from({ length: pick(4) }, piece).join("/");
    const known = pick(2) === 0 ? `${one(PARTS.slice(0, 9))}/${parts}` : parts;
    const query = Array.from({ length: pick(4) }, () => `${one(KEYS)}=${piece()}`).join("&");
    if (pick(3) === 0) return `/${one(PARTS.slice(0, 6))}/${one(NAMES)}${one(ENDINGS)}`;
    if (pick(3) === 0) return `/${one(LISTS)}${one(ENDINGS)}?${one(KEYS)}=${piece()}`;
    return `/${known}${one(ENDINGS)}${query === "" ? "" : `?${query}`}`;
  };
  const statuses = new Map<number, number>();
  for (let each = 0; each < COUNT; each++) {
    const target = path();
    const url = URL.parse(`http://${pick(5) === 0 ? one(HOSTS) : "localhost"}${target}`);
    if (url === null) continue;
    const headers = new Headers();
    if (pick(4) === 0) headers.set(one(HEADERS), noise().replaceAll(/[^\x21-\x7e]/g, "0"));
    const request = new Request(url, { method: pick(5) === 0 ? one(METHODS) : "GET", headers });
    const response = await own.fetch(request);
    const { status } = response;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const what = `${request.method} ${url} ${status}`;
    assert(status < 500, what);
    assert(response.headers.has("content-security-policy"), what);
    const location = response.headers.get("location");
    assert(location === null || /^\/(?!\/)/.test(location), `${what} ${location}`);
    const type = response.headers.get("content-type")!;
    if (type.startsWith("text/event-stream")) {
      await response.body?.cancel();
      continue;
    }
    const text = await response.text();
    assert(!/root:x:|"nodeModulesDir"/.test(text), what);
    const page = text.replace(/<figure class="orderlens-explore">.*?<\/figure>/s, "")
      .replace(`<script>${COPY_SCRIPT}</script>`, "");
    assert(!type.startsWith("text/html") || !page.includes("<script>"), what);
  }
  for (const status of [200, 302, 400, 404, 405, 421]) {
    assert((statuses.get(status) ?? 0) > 0, `${status} of ${[...statuses].join(" ")}`);
  }
});

Deno.test("explorer() looks at the auctions of an order's lifetime only for who asks", async () => {
  const recording = await replay("market_3");
  const uid = recording.recorded.orderUids.find((each) => each.startsWith("0x6b7dccd1"))!;
  let looked = 0;
  const refusing = refuseReports(recording);
  const own = explorer({
    ...refusing,
    send: (request) => {
      if (request.path.includes("/solver_competition/")) looked++;
      return refusing.send(request);
    },
  });
  const pageOf = async (search: string) =>
    await (await own.fetch(new Request(`http://localhost/orders/${uid}${search}`))).text();
  const plain = await pageOf("?pictures=no");
  const before = looked;
  assertStringIncludes(
    plain,
    `<a href="/orders/${uid}?search=auctions" rel="nofollow">Search the auctions of its lifetime</a>`,
  );
  await pageOf("?pictures=no");
  assertEquals(looked, before);
  const searched = await pageOf("?search=auctions");
  assertEquals(looked > before && looked - before <= 40, true, `${looked - before} requests`);
  assertStringIncludes(searched, "Looked at ");
  assertEquals(searched.includes("Search the auctions of its lifetime"), false);
});

Deno.test("explorer() updates the page of an open order, unless each update would search auctions", async () => {
  const path = `/api/v1/orders/${uidOf("01")}`;
  const { book } = cannedBook({
    [`${path}/status`]: { type: "active" },
    [path]: orderBody(),
    "/api/v2/trades": [],
  });
  const own = explorer(book);
  const readPage = async (query: string) => {
    const url = `http://localhost/orders/${uidOf("01")}?pictures=no${query}`;
    const page = await (await own.fetch(new Request(url))).text();
    return ['id="state"', "search=auctions", "const MIN_WAIT"].map((part) => page.includes(part));
  };
  assertEquals(await readPage(""), [true, true, true]);
  assertEquals((await readPage("&search=auctions")).at(-1), false);
});
