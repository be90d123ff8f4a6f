import { assertEquals } from "@std/assert";
import { volumeFactorsOf } from "../../../lib/metrics/quotes/quote_baseline.ts";

const VOLUME = { policy: { volume: { factor: 0.0002 } } };
const SURPLUS = { policy: { surplus: { factor: 0.5, maxVolumeFactor: 0.01 } } };
const IMPROVEMENT = { policy: { priceImprovement: { factor: 0.5, maxVolumeFactor: 0.01 } } };

Deno.test("volumeFactorsOf() keeps the factors of volume fees in their order", () => {
  const partner = { policy: { volume: { factor: 0.0025 } } };
  assertEquals(volumeFactorsOf([IMPROVEMENT, VOLUME, SURPLUS, partner]), [0.0002, 0.0025]);
  assertEquals(volumeFactorsOf([SURPLUS, IMPROVEMENT]), []);
  assertEquals(volumeFactorsOf([]), []);
});

Deno.test("volumeFactorsOf() are unknown if a fee may be a volume fee", () => {
  assertEquals(volumeFactorsOf(undefined), undefined);
  assertEquals(volumeFactorsOf([VOLUME, { policy: null }]), undefined);
  assertEquals(volumeFactorsOf([VOLUME, {}]), undefined);
  assertEquals(volumeFactorsOf([VOLUME, { policy: {} }]), undefined);
});
