import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { openSandbox } from "../../lib/sandbox/mod.ts";
import { comparable, OrderDesk } from "./order_desk.ts";
import { encodeHooks } from "../../lib/evm/settlement/encode_settlement.ts";
import { HOOKS_TRAMPOLINE } from "../../lib/networks/network.ts";
import { checkAppData } from "../../lib/sandbox/wire/check_app_data.ts";
import { Mismatch, orNull, parseJson, parseU64 } from "../../lib/sandbox/wire/loose_values.ts";

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

/** Requests with an endless body, the status of their answer, and how much is read, in KiB. */
const ENDLESS = [
  ["POST", "/api/v1/orders/by_uids", "application/json", 413, 16],
  ["POST", "/api/v1/orders", "application/json", 413, 16],
  ["POST", "/api/v1/quote", "application/json", 413, 16],
  ["DELETE", "/api/v1/orders", "application/json", 413, 16],
  ["PUT", "/api/v1/app_data", "application/json", 413, 8],
  ["POST", "/nowhere", "text/plain", 404, 0],
  ["PATCH", "/api/v1/orders", "text/plain", 405, 0],
  ["POST", "/api/v1/orders", "text/plain", 415, 0],
] as const;

Deno.test("a body is read up to the limit of its route, and not at all if its head is rejected", async () => {
  for (const [method, path, contentType, status, limitKib] of ENDLESS) {
    const { body, seen } = endless();
    const headers = { "content-type": contentType };
    const response = await sandbox.fetch(path, { method, body, headers });
    const text = await response.text();
    assertEquals([response.status, seen.isOver], [status, true], path);
    if (status === 413) {
      assertEquals(text, "Failed to buffer the request body: length limit exceeded", path);
    }
    const most = limitKib === 0 ? 0 : (limitKib + 1) * 1024;
    assert(seen.bytes <= most, `${path}: ${seen.bytes}`);
  }
});

Deno.test("a truncated body is a failure of the client, and gets no response", async () => {
  const body = new ReadableStream({ start: (controller) => controller.error(new Error("cut")) });
  const headers = { "content-type": "application/json" };
  await assertRejects(
    () => sandbox.fetch("/api/v1/orders/by_uids", { method: "POST", body, headers }),
    Error,
    "cut",
  );
});

const RECORDED = new URL("../testdata/sandbox/http_validation.ndjson", import.meta.url);

Deno.test("openSandbox() rejects 36 malformed requests with the service's texts", async () => {
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

/** Requests, the status of their answer, and its headers. */
const HEADERS = [
  ["OPTIONS", "/api/v1/orders", 200, {
    "access-control-allow-methods": "GET,POST,DELETE,OPTIONS,PUT,PATCH,HEAD",
  }],
  ["OPTIONS", "/nowhere", 200, {}],
  ["GET", "/api/v1/orders/0x12", 400, {}],
  ["GET", "/nowhere", 404, {}],
  ["HEAD", "/api/v1/version", 200, { "content-type": "text/plain; charset=utf-8" }],
  ["PATCH", "/api/v1/orders", 405, { allow: "POST,DELETE" }],
  ["DELETE", "/api/v1/version", 405, { allow: "GET,HEAD" }],
  ["GET", "/api/v1/orders/by_uids", 405, { allow: "POST" }],
  ["PUT", `/api/v1/orders/0x${"ab".repeat(56)}`, 405, { allow: "GET,HEAD,DELETE" }],
] as const;

Deno.test("RequestHandler allows any origin, responds to HEAD without a body, and lists the methods of a path", async () => {
  for (const [method, path, status, headers] of HEADERS) {
    const response = await sandbox.fetch(path, { method });
    const text = await response.text();
    assertEquals([response.status, text === ""], [status, status !== 400], `${method} ${path}`);
    const all = { "access-control-allow-origin": "*", ...headers };
    for (const [name, value] of Object.entries(all)) {
      assertEquals(response.headers.get(name), value, `${method} ${path}`);
    }
  }
  const request = new Request("http://x/api/v1/orders/by_uids", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "[]",
  });
  assertEquals(await (await sandbox.fetch(request)).json(), []);
});

const ADDRESS = `0x${"ba".repeat(20)}`;

/** Documents and the service's errors, without the place in the document. */
const REFUSED: readonly [string, string][] = [
  ["[]", "invalid type: sequence, expected struct Root"],
  ['{"metadata":{"enableFastPath":true}}', "'enableFastPath' is not yet supported"],
  ['{"metadata":{"signer":"0x12"}}', "invalid string length"],
  ['{"metadata":{"hooks":{"pre":[{"target":"0x12"}]}}}', "invalid string length"],
];

Deno.test("checkAppData() rejects a document with the service's words", () => {
  for (const [document, message] of REFUSED) {
    assertEquals(assertThrows(() => checkAppData(document), Mismatch).message, message);
  }
});

Deno.test("checkAppData() reads every form of a partner fee, in the document's order", () => {
  const fees = [
    { recipient: ADDRESS, volumeBps: 10 },
    { recipient: ADDRESS, surplusBps: 2_500, maxVolumeBps: 60 },
    { recipient: ADDRESS, priceImprovementBps: 3_000, maxVolumeBps: 40 },
    { recipient: ADDRESS, bps: 5 },
  ];
  const document = JSON.stringify({ metadata: { partnerFee: fees } });
  assertEquals(checkAppData(document).partnerFees, fees);
  const single = JSON.stringify({ metadata: { partnerFee: fees[0] } });
  assertEquals(checkAppData(single).partnerFees, fees.slice(0, 1));
});

Deno.test("checkAppData() enables the fast path only for true", () => {
  const wish = (enableFastPath: unknown) =>
    checkAppData(JSON.stringify({ metadata: { enableFastPath } }), true).enableFastPath;
  assertEquals([true, "true", 1, null, {}].map(wish), [true, false, false, false, false]);
});

Deno.test("checkAppData() reads hooks, the signer and the replaced order", () => {
  const hook = { target: ADDRESS.toUpperCase().replace("X", "x"), callData: "0x12", gasLimit: "7" };
  const uid = `0x${"ab".repeat(56)}`;
  const metadata = {
    hooks: { pre: [hook], post: [hook, hook] },
    signer: ADDRESS,
    replacedOrder: { uid },
  };
  const checked = checkAppData(JSON.stringify({ version: "1", metadata }));
  assertEquals([checked.signer, checked.replacedOrder, checked.hookGas], [ADDRESS, uid, 21]);
  const call = { target: ADDRESS, callData: "0x12", gasLimit: 7n };
  const through = (...hooks: typeof call[]) => [
    { target: HOOKS_TRAMPOLINE, value: 0n, callData: encodeHooks(hooks) },
  ];
  assertEquals(checked.interactions, { pre: through(call), post: through(call, call) });
});

Deno.test("parseJson() rejects what is no JSON, infinite numbers and lone surrogates", () => {
  for (const text of ["", "{", "[1,]", "{} {}", "01", "1e400", '"\\ud800"', '"\t"', "\ufeff{}"]) {
    assertThrows(() => parseJson(text), Mismatch, "invalid JSON");
  }
  for (const depth of [5_000, 1_000_000]) {
    assertEquals(orNull(() => parseJson("[".repeat(depth))), null);
  }
});

Deno.test("orNull() is null only for a mismatch", () => {
  assertEquals([orNull(() => parseU64("7")), orNull(() => parseU64("seven"))], [7n, null]);
  assertThrows(() =>
    orNull(() => {
      throw new RangeError("no mismatch");
    }), RangeError);
});
