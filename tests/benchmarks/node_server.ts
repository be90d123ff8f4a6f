/**
 * A program that serves a file of settlements as a node does, over HTTP, and ends with its input. Its
 * first line of output is its address, which also tells how many requests it got.
 *
 * `deno run -A node_server.ts <file>`
 *
 * @module
 */
import { report } from "../../tools/terminal/say.ts";
import type { ServedSettlement } from "./settlement_chain.ts";

const settlements: ServedSettlement[] = JSON.parse(await Deno.readTextFile(Deno.args[0]!));
const answers = new Map<string, string>();
for (const { hash, transaction, receipt } of settlements) {
  answers.set(`eth_getTransactionByHash ${hash}`, transaction);
  answers.set(`eth_getTransactionReceipt ${hash}`, receipt);
}

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

function answerTo({ id, method, params }: Call): string {
  const result = method === "eth_chainId"
    ? '"0x1"'
    : answers.get(`${method} ${params[0]}`) ?? "null";
  return `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
}

/** Whole answers, rendered once, so that the server takes as little of the machine as it can. */
const rendered = new Map<string, Uint8Array<ArrayBuffer>>();

function render(text: string): Uint8Array<ArrayBuffer> {
  const known = rendered.get(text);
  if (known !== undefined) return known;
  const body: Call | Call[] = JSON.parse(text);
  const answer = Array.isArray(body) ? `[${body.map(answerTo).join(",")}]` : answerTo(body);
  const bytes = new TextEncoder().encode(answer);
  rendered.set(text, bytes);
  return bytes;
}

let requests = 0;
const headers = { "content-type": "application/json" };
const server = Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) => report(`http://127.0.0.1:${port}`),
}, async (request) => {
  if (request.method === "GET") return new Response(String(requests));
  requests++;
  return new Response(render(await request.text()), { headers });
});

for await (const _ of Deno.stdin.readable) { /* Until whoever started this closes the input. */ }
await server.shutdown();
