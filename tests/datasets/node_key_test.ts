import { connect } from "orderlens";
import { exportDataset } from "orderlens/datasets";
import { openSandbox } from "orderlens/sandbox";
import { assertEquals } from "@std/assert";
import { withFolder } from "../sandbox/temp_folder.ts";

const KEY = "k3yOfTheNode0123456789abcdef";

Deno.test("the key in a node's URL is in no file of the folder", async () => {
  const sandbox = await openSandbox({ seed: 7, auctions: 12, clock: "virtual" });
  await using server = sandbox.listen({ port: 0 });
  await withFolder(async (folder) => {
    const { manifest } = await exportDataset(connect(sandbox), folder, {
      last: 4,
      tables: ["auctions", "blocks"],
      node: `${server.url}/rpc?key=${KEY}`,
    });
    assertEquals(Object.keys(manifest.items.block ?? {}), ["present"]);
    const names = await filesBelow(folder);
    assertEquals(names.some((name) => name.endsWith("state.sqlite")), true);
    for (const name of names) {
      const text = new TextDecoder().decode(await Deno.readFile(name));
      assertEquals(text.includes(KEY), false, name);
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
