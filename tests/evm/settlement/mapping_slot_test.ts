import { assertEquals } from "@std/assert";
import { mappingSlot } from "../../../lib/evm/settlement/encode_settlement_events.ts";

const RECORDED = new URL("../../testdata/sandbox/simulations.ndjson", import.meta.url);

Deno.test("mappingSlot() is the slot in which the service overrides balances and solvers", async () => {
  const [line] = (await Deno.readTextFile(RECORDED)).split("\n");
  const { tenderlyRequest } = JSON.parse(JSON.parse(line!).responseBody);
  const slots = Object.values<{ storage?: object }>(tenderlyRequest.state_objects)
    .flatMap(({ storage }) => Object.keys(storage ?? {}));
  assertEquals(slots, [
    // The wrapped native token keeps balances in its fourth variable.
    mappingSlot(tenderlyRequest.to, 3n),
    // The authenticator keeps solvers in its second.
    mappingSlot(tenderlyRequest.from, 1n),
  ]);
});
