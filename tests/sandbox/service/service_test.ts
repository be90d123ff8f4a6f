import fc from "fast-check";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { openSandbox } from "../../../lib/sandbox/mod.ts";
import { ANY_GET, anyBody, type AnyRequest, damagedBody } from "./any_request.ts";
import { askEdges } from "./ask_edges.ts";
import {
  DAI,
  DENIED,
  differences,
  type Edge,
  FIRST,
  HASH,
  NATIVE,
  NO_JSON,
  NO_SHAPE,
  type Patch,
  REFUSED,
  SANDBOX,
  USDC,
  WETH,
} from "./invented_edges.ts";
import { comparable, OrderDesk } from "./order_desk.ts";

Deno.test("openSandbox() never answers 500 to unknown requests", async () => {
  const sandbox = await openSandbox({ seed: 9, auctions: 10 });
  const desk = new OrderDesk(sandbox);
  const isUnderstood = async ({ method, path, body }: AnyRequest) => {
    const { status } = await desk.ask(`${method} ${path}`, body);
    assert(status < 500, `${status} for ${method} ${path} ${body}`);
  };
  await fc.assert(fc.asyncProperty(anyBody(sandbox), isUnderstood), { numRuns: 500 });
  await fc.assert(fc.asyncProperty(damagedBody(sandbox), isUnderstood), { numRuns: 350 });
  await fc.assert(fc.asyncProperty(ANY_GET, isUnderstood), { numRuns: 350 });
  // Accepted requests must not stop the market, and must be reported.
  await sandbox.advance({ auctions: 10 });
  const [account] = sandbox.description.accounts;
  const { text } = await desk.ask(`GET /api/v1/account/${account}/orders?limit=1000`);
  assert(JSON.parse(text).length > 0);
});

/** Requests with different answers, by their index in the recording, and why. */
const EXCEPTIONS: ReadonlyMap<number, string> = new Map([
  [61, "a list as app data is described in simpler words"],
  [63, "the service's parser reads a hash as the number 0 first"],
  [150, "debug reports are served at the interface document's path too"],
  [156, "orders of a transaction are served at the interface document's path too"],
]);

/** The compared part of an answer: the whole text of an error, the fields of a success. */
function contentOf(contentType: string | null, body: string): string {
  if (contentType?.startsWith("text/plain")) return comparable(body);
  if (contentType?.startsWith("text/event-stream")) return "events";
  if (body === "") return "nothing";
  const value = JSON.parse(body);
  if (Array.isArray(value)) return "list";
  if (typeof value !== "object") return typeof value;
  return "errorType" in value ? rejectionText(value) : Object.keys(value).sort().join(" ");
}

/** An error without details of a deployment or build: hashes, fees, stack traces. */
function rejectionText(
  { errorType, description }: { errorType: string; description: string },
): string {
  const words = comparable(description.split("\n")[0]!).replaceAll(/0x[0-9a-f]{40,}/g, "0x…");
  return `${errorType} ${words}`;
}

Deno.test("openSandbox() answers 241 recorded requests as the service did", async () => {
  // The recorded deployment had its notifications elsewhere.
  const sandbox = await openSandbox({ seed: 3, auctions: 60, notifications: false });
  const edges = await askEdges(sandbox);
  assertEquals(edges.length, 241);
  const differences: string[] = [];
  for (const [at, { edge, answer }] of edges.entries()) {
    const expected = `${edge.status} ${contentOf(edge.contentType, edge.responseBody)}`;
    const found = `${answer.status} ${contentOf(answer.contentType, answer.text)}`;
    const isVersion = edge.path === "/api/v1/version";
    if (!isVersion && (expected !== found) !== EXCEPTIONS.has(at)) {
      differences.push(`${at} ${edge.method} ${edge.path.slice(0, 60)}: ${expected} / ${found}`);
    }
  }
  assertEquals(differences, []);
});

const { now } = SANDBOX.description;

const QUOTE: Patch = {
  from: FIRST,
  sellToken: WETH,
  buyToken: DAI,
  kind: "sell",
  sellAmountBeforeFee: "1000000000000000000",
};
const NO_AMOUNT = `${NO_SHAPE}data did not match any variant of untagged enum SellAmount`;

/** Bodies of `POST quote`. */
const QUOTES: readonly Edge[] = [
  [{ from: null }, 422, `${NO_SHAPE}from: invalid type: null, expected 20 bytes`],
  [{ kind: null }, 422, `${NO_SHAPE}invalid type: null`],
  [{ kind: "limit" }, 422, `${NO_SHAPE}unknown variant \`limit\`, expected \`sell\` or \`buy\``],
  [{ kind: undefined }, 422, `${NO_SHAPE}missing field \`kind\``],
  [{ kind: "buy", buyAmountAfterFee: "0" }, 422, `${NO_SHAPE}Value cannot be zero!`],
  [{ kind: "buy", buyAmountAfterFee: "x" }, 422, `${NO_SHAPE}invalid value: string "x"`],
  [{ sellAmountBeforeFee: "0", sellAmountAfterFee: "0x0" }, 422, NO_AMOUNT],
  [{ sellAmountBeforeFee: null }, 422, NO_AMOUNT],
  [{ sellAmountBeforeFee: String(2n ** 256n) }, 422, NO_AMOUNT],
  [{ validFor: "600" }, 422, `${NO_SHAPE}invalid type: string "600", expected u32`],
  [{ validFor: 600, validTo: now + 600 }, 422, `${NO_SHAPE}must specify at most one of`],
  [{ validTo: now }, 400, "InsufficientValidTo"],
  [{ validFor: 59 }, 400, "InsufficientValidTo"],
  [{ validFor: 4294967295 }, 400, "ExcessiveValidTo"],
  [{ validFor: 4294967295, signingScheme: "eip1271" }, 400, "ExcessiveValidTo"],
  [{ validFor: 4294967295, signingScheme: "presign" }, 200, ""],
  [{ priceQuality: null }, 400, `${NO_JSON}priceQuality: expected value`],
  [{ priceQuality: "" }, 422, `${NO_SHAPE}priceQuality: unknown variant`],
  [{ signingScheme: "bogus" }, 422, `${NO_SHAPE}unknown variant \`bogus\``],
  [{ signingScheme: "presign", onchainOrder: "yes" }, 422, `${NO_SHAPE}invalid type: string "yes"`],
  [{ timeout: -1 }, 422, `${NO_SHAPE}timeout: invalid value: integer \`-1\`, expected u32`],
  [{ timeout: 1 }, 404, "NoLiquidity"],
  [{ buyToken: `0x${"34".repeat(20)}` }, 404, "NoLiquidity"],
  [{ sellToken: DAI, buyToken: WETH, sellAmountBeforeFee: "1" }, 404, "NoLiquidity"],
  [{ sellAmountBeforeFee: "1000000" }, 400, "SellAmountDoesNotCoverFee"],
  [{ buyToken: NATIVE }, 400, "SameBuyAndSellToken"],
  [{ sellToken: NATIVE, buyToken: NATIVE }, 400, "SameBuyAndSellToken"],
  [{ sellToken: NATIVE, buyToken: WETH }, 400, "InvalidNativeSellToken"],
  [{ sellToken: REFUSED }, 400, "UnsupportedToken"],
  [{ from: DENIED }, 403, "Forbidden"],
  [{ receiver: DENIED }, 403, "Forbidden"],
  [{ appData: 5 }, 422, `${NO_SHAPE}invalid app data`],
  [{ appDataHash: HASH }, 422, `${NO_SHAPE}invalid app data`],
  [{ appData: "nope" }, 400, "InvalidAppData"],
  [{ appData: HASH }, 200, ""],
  [{ sellToken: USDC, buyToken: NATIVE, sellAmountBeforeFee: "4000000000" }, 200, ""],
  [{ from: `0x${"7e".repeat(20)}` }, 200, ""],
  [{ timeout: null, receiver: null, validFor: null }, 422, `${NO_SHAPE}invalid type: null`],
];

Deno.test(`openSandbox() answers ${QUOTES.length} quote requests as expected`, async () => {
  const requests = ["quote", "quote/stream"].flatMap((path) =>
    QUOTES.map(([patch, ...answer]) =>
      [`POST /api/v1/${path}`, { ...QUOTE, ...patch }, ...answer] as const
    )
  );
  assertEquals(await differences(requests), []);
});

const CHUNK = 1024;

/** An endless body that counts the bytes read, and whether the rest was cancelled. */
function endless(): { body: ReadableStream<Uint8Array>; seen: { bytes: number; isOver: boolean } } {
  const seen = { bytes: 0, isOver: false };
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      seen.bytes += CHUNK;
      controller.enqueue(new Uint8Array(CHUNK).fill(0x20));
    },
    cancel() {
      seen.isOver = true;
    },
  }, { highWaterMark: 0 });
  return { body, seen };
}

const sandbox = await openSandbox();

Deno.test("a body is read up to the limit of its route, and no further", async () => {
  const cases = [
    ["POST", "/api/v1/orders/by_uids", 16],
    ["POST", "/api/v1/orders", 16],
    ["POST", "/api/v1/quote", 16],
    ["DELETE", "/api/v1/orders", 16],
    ["PUT", "/api/v1/app_data", 8],
  ] as const;
  for (const [method, path, limitKib] of cases) {
    const { body, seen } = endless();
    const headers = { "content-type": "application/json" };
    const response = await sandbox.fetch(path, { method, body, headers });
    assertEquals(response.status, 413, path);
    assertEquals(
      await response.text(),
      "Failed to buffer the request body: length limit exceeded",
      path,
    );
    assert(seen.bytes <= (limitKib + 1) * 1024, `${path}: ${seen.bytes}`);
    assert(seen.isOver, path);
  }
});

Deno.test("no body is read if its route, method or content type is rejected", async () => {
  const cases = [
    ["POST", "/nowhere", "text/plain", 404],
    ["PATCH", "/api/v1/orders", "text/plain", 405],
    ["POST", "/api/v1/orders", "text/plain", 415],
  ] as const;
  for (const [method, path, contentType, status] of cases) {
    const { body, seen } = endless();
    const headers = { "content-type": contentType };
    const response = await sandbox.fetch(path, { method, body, headers });
    assertEquals([response.status, seen.bytes, seen.isOver], [status, 0, true], path);
  }
});

Deno.test("a truncated body is the caller's failure, and gets no answer", async () => {
  const body = new ReadableStream({ start: (controller) => controller.error(new Error("cut")) });
  const headers = { "content-type": "application/json" };
  await assertRejects(
    () => sandbox.fetch("/api/v1/orders/by_uids", { method: "POST", body, headers }),
    Error,
    "cut",
  );
});

const RECORDED = new URL("../../testdata/sandbox/http_validation.ndjson", import.meta.url);

Deno.test("openSandbox() answers 36 malformed requests with the service's texts", async () => {
  const exchanges = (await Deno.readTextFile(RECORDED)).trim().split("\n")
    .map((line) => JSON.parse(line));
  assertEquals(exchanges.length, 36);
  const desk = new OrderDesk(await openSandbox());
  for (const { method, path, requestBody, status, responseBody } of exchanges) {
    const body = method === "GET" ? undefined : requestBody ?? "";
    const answer = await desk.ask(`${method} ${path}`, body);
    const found = [answer.status, comparable(answer.text)];
    assertEquals(found, [status, comparable(responseBody)], `${method} ${path}`);
  }
});
