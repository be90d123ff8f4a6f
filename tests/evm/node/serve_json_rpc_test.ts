import { assertEquals } from "@std/assert";
import type { RpcNode } from "orderlens/evm";
import { serveJsonRpc } from "../../../lib/evm/node/serve_json_rpc.ts";

/** A node that answers with what it was asked, or with an error for one method. */
const node: RpcNode = (calls) =>
  Promise.resolve(
    calls.map(({ method, params }) =>
      method === "fail"
        ? { error: { code: -32000, message: "no" } }
        : { result: params.length === 0 ? method : params }
    ),
  );

async function answerTo(body: unknown): Promise<unknown> {
  const answer = await serveJsonRpc(typeof body === "string" ? body : JSON.stringify(body), node);
  return answer === null ? null : JSON.parse(answer);
}

const call = (id: unknown, method = "ping") => ({ jsonrpc: "2.0", id, method });

function rejected(id: unknown, code: number, message: string) {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

Deno.test("serveJsonRpc() answers a call, its parameters, and its error, under its id", async () => {
  assertEquals(await answerTo(call(1)), { jsonrpc: "2.0", id: 1, result: "ping" });
  assertEquals(await answerTo({ ...call("a"), params: [1, null] }), {
    jsonrpc: "2.0",
    id: "a",
    result: [1, null],
  });
  assertEquals(await answerTo(call(null)), { jsonrpc: "2.0", id: null, result: "ping" });
  assertEquals(await answerTo(call(2, "fail")), rejected(2, -32000, "no"));
});

Deno.test("serveJsonRpc() answers a batch in its order, without its notifications", async () => {
  const { id: _, ...notification } = call(0);
  assertEquals(await answerTo([call(3), notification, call(1, "fail"), 5, call(2)]), [
    { jsonrpc: "2.0", id: 3, result: "ping" },
    rejected(1, -32000, "no"),
    rejected(null, -32600, "invalid request: it is not an object"),
    { jsonrpc: "2.0", id: 2, result: "ping" },
  ]);
  assertEquals(await answerTo(notification), null);
  assertEquals(await answerTo([notification, notification]), null);
  assertEquals(await answerTo({ ...notification, params: {} }), null);
});

Deno.test("serveJsonRpc() rejects malformed requests with the code of their fault", async () => {
  const parse = rejected(null, -32700, "parse error: the body is not JSON");
  for (const body of ["", "{", '{"jsonrpc": "2.0", "method": "ping", "params": "bar", "baz]']) {
    assertEquals(await answerTo(body), parse);
  }
  const cases: readonly (readonly [body: unknown, id: unknown, code: number, fault: string])[] = [
    [[], null, -32600, "invalid request: the batch is empty"],
    [null, null, -32600, "invalid request: it is not an object"],
    [1, null, -32600, "invalid request: it is not an object"],
    [{}, null, -32600, 'invalid request: `jsonrpc` must be "2.0"'],
    [{ ...call(4), jsonrpc: "1.0" }, 4, -32600, 'invalid request: `jsonrpc` must be "2.0"'],
    [call({}), null, -32600, "invalid request: `id` must be text, a number or null"],
    [{ jsonrpc: "2.0", method: 1 }, null, -32600, "invalid request: `method` must be text"],
    [{ ...call(4), params: "bar" }, 4, -32600, "invalid request: `params` must be a list"],
    [{ ...call(4), params: {} }, 4, -32602, "invalid params: pass them as a list"],
  ];
  for (const [body, id, code, message] of cases) {
    assertEquals(await answerTo(body), rejected(id, code, message), JSON.stringify(body));
  }
});

Deno.test("serveJsonRpc() takes a thousand calls in a batch and no more", async () => {
  const calls = Array.from({ length: 1_000 }, (_, id) => call(id));
  assertEquals((await answerTo(calls) as unknown[]).length, 1_000);
  assertEquals(
    await answerTo([...calls, call(1)]),
    rejected(null, -32600, "invalid request: the batch has 1001 calls, the most are 1000"),
  );
});
