import { assertEquals } from "@std/assert";
import { decodeSettlement } from "../../../lib/evm/mod.ts";
import { encodeSettlement } from "../../../lib/evm/settlement/encode_settlement.ts";

const RECORDED = new URL("../../testdata/sandbox/simulations.ndjson", import.meta.url);
const PUBLIC = new URL("../../testdata/evm/settlements.json", import.meta.url);

async function recordedCalldata(): Promise<string[]> {
  const simulations = (await Deno.readTextFile(RECORDED)).trim().split("\n")
    .map((line) => JSON.parse(JSON.parse(line).responseBody).tenderlyRequest.input);
  return simulations;
}

Deno.test("encodeSettlement() returns the calldata that the service simulates", async () => {
  const recorded = await recordedCalldata();
  assertEquals(recorded.length, 3);
  for (const calldata of recorded) {
    assertEquals(encodeSettlement(decodeSettlement(calldata)), calldata);
  }
});

Deno.test("encodeSettlement() returns the calldata of public settlements", async () => {
  const settlements: { calldata: string }[] = JSON.parse(await Deno.readTextFile(PUBLIC));
  for (const { calldata } of settlements) {
    const encoded = encodeSettlement(decodeSettlement(calldata));
    // Drivers append the id of the auction.
    assertEquals(encoded, calldata.slice(0, encoded.length));
  }
});
