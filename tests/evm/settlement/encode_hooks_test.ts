import { assertEquals } from "@std/assert";
import { encodeHooks } from "../../../lib/evm/settlement/encode_calls.ts";

const RECORDED = new URL("../../testdata/sandbox/order_with_hooks.json", import.meta.url);

Deno.test("encodeHooks() returns the service's calls of an order", async () => {
  const order = JSON.parse(await Deno.readTextFile(RECORDED));
  const { hooks } = JSON.parse(order.fullAppData).metadata;
  for (const when of ["pre", "post"]) {
    const { target, callData, gasLimit } = hooks[when][0];
    const encoded = encodeHooks([{ target, callData, gasLimit: BigInt(gasLimit) }]);
    assertEquals(encoded, order.interactions[when][0].callData);
  }
});
