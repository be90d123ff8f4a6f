import services from "../../testdata/evm/services_vectors.json" with { type: "json" };
import { assertEquals, assertThrows } from "@std/assert";
import { parseOrderUid } from "orderlens";
import { computeOrderUid, orderDomain } from "orderlens/evm";
import { InputError } from "../../../lib/errors/mod.ts";
import { RECORDED_ORDERS, recordedOrder, SERVICES_ORDER } from "../signed_orders.ts";

const DOMAIN = orderDomain(services.testDeployment);

Deno.test("computeOrderUid() returns the UID of the service's own vector", () => {
  assertEquals(computeOrderUid(DOMAIN, SERVICES_ORDER, services.owner), services.uid);
  assertEquals(
    computeOrderUid(DOMAIN, { ...SERVICES_ORDER, owner: services.owner }),
    services.uid,
  );
});

Deno.test("computeOrderUid() returns the UIDs of recorded orders", () => {
  for (const { what, chainId, order } of RECORDED_ORDERS) {
    const domain = orderDomain({ chainId, settlementContract: order.settlementContract });
    assertEquals(computeOrderUid(domain, order), order.uid, what);
  }
});

Deno.test("computeOrderUid() accepts an EthFlow order as the service returns it", () => {
  const { chainId, order } = recordedOrder("ethflow (eip1271)");
  const domain = orderDomain({ chainId, settlementContract: order.settlementContract });
  assertEquals(parseOrderUid(computeOrderUid(domain, order)).validTo, 4294967295);
  assertEquals(order.ethflowData?.userValidTo === 4294967295, false);
});

Deno.test("computeOrderUid() prefers an explicit owner", () => {
  const owner = `0x${"0e".repeat(20)}`;
  const uid = computeOrderUid(DOMAIN, { ...SERVICES_ORDER, owner: services.owner }, owner);
  assertEquals(parseOrderUid(uid).owner, owner);
});

Deno.test("computeOrderUid() requires an owner", () => {
  assertThrows(
    () => computeOrderUid(DOMAIN, SERVICES_ORDER),
    InputError,
    "Cannot compute the UID of an order without its owner",
  );
});

const SETTLEMENT = "0x9008D19f58AAbD9eD0D60971565AA8510560ab41";

Deno.test("orderDomain() has the contract's name and version, the chain and the contract", () => {
  assertEquals(orderDomain({ chainId: 100, settlementContract: SETTLEMENT }), {
    name: "Gnosis Protocol",
    version: "v2",
    chainId: 100,
    verifyingContract: "0x9008d19f58aabd9ed0d60971565aa8510560ab41",
  });
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
