import { assertEquals } from "@std/assert";
import { readFacts } from "../../lib/recordings/deployment.ts";
import { errorText, withFolder } from "../sandbox/temp_folder.ts";

const contract = `0x${"9".repeat(40)}`;

Deno.test("readFacts() reads known fields and ignores others", async () => {
  await withFolder(async (folder) => {
    const file = `${folder}/deployment.json`;
    const deployment = {
      chainId: 100,
      settlementContract: contract,
      tokens: [{ address: contract, decimals: 0, symbol: "T" }],
    };
    await Deno.writeTextFile(file, JSON.stringify({ ...deployment, vaultRelayer: contract }));
    assertEquals(await readFacts(file), { deployment });
  });
});

Deno.test("readFacts() names the invalid field", async (t) => {
  await withFolder(async (folder) => {
    const file = `${folder}/deployment.json`;
    const good = { chainId: 1, settlementContract: contract };
    const texts = [];
    for (
      const wrong of [
        "{",
        "[]",
        JSON.stringify({ ...good, chainId: "1" }),
        JSON.stringify({ chainId: 1 }),
        JSON.stringify({ ...good, wrappedNativeToken: "0x12" }),
        JSON.stringify({ ...good, ethFlowContracts: contract }),
        JSON.stringify({ ...good, tokens: [{ address: contract, symbol: "T" }] }),
        JSON.stringify({ ...good, solvers: [{ address: contract }] }),
        JSON.stringify({ ...good, walked: { from: 1 } }),
        JSON.stringify({ ...good, walked: { from: 2, to: 1 } }),
      ]
    ) {
      await Deno.writeTextFile(file, wrong);
      texts.push(await errorText(readFacts(file), folder));
    }
    await t.assertSnapshot(texts.join("\n\n"));
  });
});
