import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { withFolder } from "../sandbox/temp_folder.ts";
import { orderlens, succeeds } from "./memory_io.ts";

const KEY = "k3y-9f8e7d6c5b4a39281706";

Deno.test("a key reaches the deployment from the environment or a file, and is shown nowhere", async () => {
  const keys: (string | null)[] = [];
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    ({ headers }) => {
      const key = headers.get("x-api-key");
      keys.push(key);
      return new Response(`{"errorType":"Forbidden","description":"no such key: ${key}"}`, {
        status: 403,
        headers: { "content-type": "application/json" },
      });
    },
  );
  await withFolder(async (folder) => {
    const target = ["--url", `http://127.0.0.1:${server.addr.port}`, "--chain-id", "1"];
    const words = ["export", `${folder}/x`, "--last", "3", "--verbose", ...target];
    const file = `${folder}/key`;
    await Deno.writeTextFile(file, `${KEY}\n`);
    const runs = [
      await orderlens(words, { variables: { ORDERLENS_API_KEY: KEY } }),
      await orderlens([...words, "--api-key-file", file]),
    ];
    for (const { code, out, err } of runs) {
      assertEquals(code, 4, err);
      assertStringIncludes(err, "[hidden]");
      assert(!`${out}${err}`.includes(KEY));
    }
    assertEquals(new Set(keys), new Set([KEY]));
  });
});

Deno.test("a node's URL with a key on the command line is warned of, and not shown", async () => {
  const words = "export x --recording edges --last 3 --dry-run --rpc-url";
  for (const url of [`https://node.example/v2/${KEY}`, `https://me:${KEY}@node.example`]) {
    const { out, err } = await succeeds(`${words} ${url}`);
    assertStringIncludes(err, "Warning: --rpc-url has a key, which other programs of this machine");
    assert(!`${out}${err}`.includes(KEY));
  }
  assertEquals((await orderlens(`${words} http://127.0.0.1:8545`)).err, "");
  assertEquals(
    (await orderlens(words.replace("--rpc-url", ""), {
      variables: { ORDERLENS_RPC_URL: `https://node.example/v2/${KEY}` },
    })).err,
    "",
  );
});

Deno.test("an empty file of a key, or one that is not there, is named", async () => {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/empty`, "\n");
    const words = "export x --network xdai --last 3 --api-key-file";
    const empty = await orderlens(`${words} ${folder}/empty`);
    assertEquals(empty.code, 2);
    assertStringIncludes(empty.err, "the file is empty");
    const gone = await orderlens(`${words} ${folder}/none`);
    assertEquals(gone.code, 5);
    assertStringIncludes(gone.err, `${folder}/none cannot be read`);
  });
});
