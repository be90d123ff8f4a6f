import { orderDomain } from "orderlens/evm";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { InputError } from "../../../lib/errors/mod.ts";

const SETTLEMENT = "0x9008D19f58AAbD9eD0D60971565AA8510560ab41";

Deno.test("orderDomain() has the contract's name and version, the chain and the contract", () => {
  assertEquals(orderDomain({ chainId: 100, settlementContract: SETTLEMENT }), {
    name: "Gnosis Protocol",
    version: "v2",
    chainId: 100,
    verifyingContract: "0x9008d19f58aabd9ed0d60971565aa8510560ab41",
  });
});

Deno.test("orderDomain() is frozen", () => {
  assert(Object.isFrozen(orderDomain({ chainId: 1, settlementContract: SETTLEMENT })));
});

Deno.test("orderDomain() rejects an invalid chain id", () => {
  for (const chainId of [0, -1, 1.5, NaN, 2 ** 53]) {
    assertThrows(
      () => orderDomain({ chainId, settlementContract: SETTLEMENT }),
      InputError,
      `Cannot use ${chainId} as a chain id`,
    );
  }
});

Deno.test("orderDomain() rejects an invalid address", () => {
  assertThrows(
    () => orderDomain({ chainId: 1, settlementContract: "0x9008" }),
    InputError,
    "Cannot read the settlementContract of a domain: it has 2 bytes instead of 20",
  );
});
