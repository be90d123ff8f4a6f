import { assert, assertEquals } from "@std/assert";
import { COPY_SCRIPT } from "../../lib/reports/page/html_cell.ts";
import { seededRandom } from "../../tools/fuzz/mutate_body.ts";
import { EXPLORER, RECORDING } from "./explore.ts";

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
  const pick = seededRandom(SEED);
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
    const response = await EXPLORER.fetch(request);
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
  assertEquals([...statuses.keys()].filter((status) => status >= 500), []);
});
