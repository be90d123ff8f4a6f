import { connect } from "orderlens";
import { exportDataset } from "orderlens/datasets";
import { openSandbox } from "orderlens/sandbox";
import { assert, assertEquals } from "@std/assert";
import { zstdDecompressSync } from "node:zlib";
import { NODE_TABLES } from "../../lib/datasets/shards/published_tables.ts";
import { withFolder } from "../sandbox/temp_folder.ts";

const NODE_KEY = "k3yOfTheNode0123456789abcdef";
const KEY = "planted-key-8c1f7a";

Deno.test("keys of the deployment and of the node are in no file, also where a node returns them", async () => {
  const sandbox = await openSandbox({ seed: 7, auctions: 12, clock: "virtual" });
  await using service = sandbox.listen({ port: 0 });
  let echoed = 0;
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    async (request) => {
      const body = await request.json();
      const calls: { id: number; method: string; params: unknown[] }[] = [body].flat();
      const answers = await sandbox.rpc(calls);
      const answered = calls.map(({ id, method }, place) => {
        const answer = answers[place]!;
        if (!("result" in answer) || !method.startsWith("eth_getTransaction")) {
          return { id, ...answer };
        }
        const result = { ...Object(answer.result), servedBy: request.url };
        // One of them is an error that names the address.
        return echoed++ === 3
          ? { id, error: { code: -32000, message: `no state at ${request.url}` } }
          : { id, result };
      });
      return Response.json(Array.isArray(body) ? answered : answered[0]);
    },
  );
  const { chainId, settlementContract } = sandbox.deployment;
  const url = new URL(service.url);
  [url.username, url.password] = ["someone", KEY];
  const book = connect(url.href, { chainId, settlementContract, headers: { "x-api-key": KEY } });
  await withFolder(async (folder) => {
    const { manifest } = await exportDataset(book, folder, {
      last: 12,
      tables: ["auctions", "orders", "trades", ...NODE_TABLES],
      node: `http://127.0.0.1:${server.addr.port}/v3/${NODE_KEY}?key=${NODE_KEY}`,
    });
    assertEquals(manifest.failures.length, 1);
    assert((manifest.items.receipt?.present ?? 0) > 3);
    assertEquals(Object.keys(manifest.items.block ?? {}), ["present"]);
    const names = await filesBelow(folder);
    assert(names.length > 15 && names.some((name) => name.endsWith("state.sqlite")));
    for (const name of names) {
      const bytes = await Deno.readFile(name);
      const unpacked = name.endsWith(".zst") ? zstdDecompressSync(bytes) : bytes;
      const text = new TextDecoder("latin1").decode(unpacked);
      for (const key of [NODE_KEY, KEY, btoa(`someone:${KEY}`)]) {
        assertEquals(text.includes(key), false, name);
      }
    }
  });
});

async function filesBelow(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    found.push(...isDirectory ? await filesBelow(path) : [path]);
  }
  return found;
}
