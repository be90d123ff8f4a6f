import { connect } from "orderlens";
import { exportDataset } from "orderlens/datasets";
import { openSandbox } from "orderlens/sandbox";
import { assertEquals } from "@std/assert";
import { zstdDecompressSync } from "node:zlib";
import { withFolder } from "../sandbox/temp_folder.ts";

const KEY = "k3yOfTheNode0123456789abcdef";

Deno.test("the key in a node's URL is in no file of the folder", async () => {
  const sandbox = await openSandbox({ seed: 7, auctions: 12, clock: "virtual" });
  await using server = sandbox.listen({ port: 0 });
  await withFolder(async (folder) => {
    const { manifest } = await exportDataset(connect(sandbox), folder, {
      last: 4,
      node: `${server.url}/rpc?key=${KEY}`,
    });
    assertEquals(Object.keys(manifest.items.block ?? {}), ["present"]);
    assertEquals(Object.keys(manifest.items.receipt ?? {}), ["present"]);
    const names = await filesBelow(folder);
    assertEquals(names.some((name) => name.endsWith("state.sqlite")), true);
    for (const name of names) {
      const text = new TextDecoder().decode(await Deno.readFile(name));
      assertEquals(text.includes(KEY), false, name);
    }
  });
});

Deno.test("a key that a node returns in its answers is in no file of the folder", async () => {
  const sandbox = await openSandbox({ seed: 7, auctions: 12, clock: "virtual" });
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
  await withFolder(async (folder) => {
    const { manifest } = await exportDataset(connect(sandbox), folder, {
      last: 12,
      node: `http://127.0.0.1:${server.addr.port}/v3/${KEY}`,
      blockTimes: false,
    });
    assertEquals(manifest.failures.length, 1);
    assertEquals((manifest.items.receipt?.present ?? 0) > 3, true);
    for (const name of await filesBelow(folder)) {
      const bytes = await Deno.readFile(name);
      const unpacked = name.endsWith(".zst") ? zstdDecompressSync(bytes) : bytes;
      assertEquals(new TextDecoder().decode(unpacked).includes(KEY), false, name);
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
