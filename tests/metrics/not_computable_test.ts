import { isNotComputable } from "orderlens/metrics";
import { assertEquals } from "@std/assert";

Deno.test("isNotComputable() is false for records with a reason of their own", () => {
  assertEquals(isNotComputable({ label: "invalid", reason: "insufficient_balance" }), false);
  assertEquals(isNotComputable({ reason: null, detail: null }), false);
  assertEquals(isNotComputable(null), false);
  assertEquals(isNotComputable(undefined), false);
  assertEquals(isNotComputable(0n), false);
});

Deno.test("reasons of metrics are in snake_case", async () => {
  const words = new Set<string>();
  const folder = new URL("../../lib/metrics/", import.meta.url);
  for (const path of await filesIn(folder)) {
    const code = await Deno.readTextFile(path);
    const types = code.matchAll(/^(?:export )?type \w*Reason =([^;]*);/gm);
    const returned = code.matchAll(/NotComputable<("[^>]*)>/g);
    const given = code.matchAll(/\breason: ("\w*")/g);
    for (const [, text = ""] of [...types, ...returned, ...given]) {
      for (const [, word = ""] of text.matchAll(/"([^"]*)"/g)) words.add(word);
    }
  }
  assertEquals(words.has("no_quote") && words.has("no_auctions") && words.has("no_fill"), true);
  assertEquals([...words].filter((word) => !/^[a-z]+(_[a-z]+)*$/.test(word)), []);
});

async function filesIn(folder: URL): Promise<URL[]> {
  const found: URL[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) found.push(...await filesIn(new URL(`${name}/`, folder)));
    else if (name.endsWith(".ts")) found.push(new URL(name, folder));
  }
  return found;
}
