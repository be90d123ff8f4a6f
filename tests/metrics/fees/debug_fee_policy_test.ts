import { debugFeePolicy } from "orderlens/metrics";
import { assertEquals } from "@std/assert";

Deno.test("debugFeePolicy() returns the factors of each kind", () => {
  assertEquals(debugFeePolicy({ kind: "volume", volumeFactor: 0.0002, surplusFactor: null }), {
    volume: { factor: 0.0002 },
  });
  assertEquals(
    debugFeePolicy({ kind: "surplus", surplusFactor: 0.5, surplusMaxVolumeFactor: 0.01 }),
    { surplus: { factor: 0.5, maxVolumeFactor: 0.01 } },
  );
  assertEquals(
    debugFeePolicy({
      kind: "priceImprovement",
      priceImprovementFactor: 0,
      priceImprovementMaxVolumeFactor: 0.01,
    }),
    { priceImprovement: { factor: 0, maxVolumeFactor: 0.01 } },
  );
});

Deno.test("debugFeePolicy() is null if a factor is missing", () => {
  assertEquals(debugFeePolicy({ kind: "volume", surplusFactor: 0.5 }), null);
  assertEquals(debugFeePolicy({ kind: "surplus", surplusFactor: 0.5 }), null);
  assertEquals(debugFeePolicy({ kind: "priceImprovement", priceImprovementFactor: 0.5 }), null);
});

Deno.test("debugFeePolicy() keeps an unknown kind", () => {
  assertEquals(Object.keys(debugFeePolicy({ kind: "dutchAuction" }) ?? {}), ["dutchAuction"]);
});
