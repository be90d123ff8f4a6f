import { assertEquals } from "@std/assert";
import { bytesToHex } from "viem/utils";
import { orderDomain } from "../../../lib/evm/orders/order_uid.ts";
import { domainSeparator, hashText } from "../../../lib/evm/orders/order_digest.ts";
import services from "../../testdata/evm/services_vectors.json" with { type: "json" };

Deno.test("domainSeparator() matches those of the public deployments", () => {
  const deployments = [...services.domainSeparators, {
    ...services.testDeployment,
    verifyingContract: services.testDeployment.settlementContract,
  }];
  for (const { chainId, verifyingContract, domainSeparator: expected } of deployments) {
    const domain = orderDomain({ chainId, settlementContract: verifyingContract });
    assertEquals(bytesToHex(domainSeparator(domain)), expected);
    assertEquals(bytesToHex(domainSeparator(domain)), expected, "asked again");
  }
});

Deno.test("domainSeparator() supports a modified domain", () => {
  const [mainnet, , gnosis] = services.domainSeparators;
  const domain = {
    ...orderDomain({ chainId: 1, settlementContract: mainnet!.verifyingContract }),
  };
  assertEquals(bytesToHex(domainSeparator(domain)), mainnet?.domainSeparator);
  domain.chainId = 100;
  assertEquals(bytesToHex(domainSeparator(domain)), gnosis?.domainSeparator);
});

Deno.test("hashText() returns the type hashes of the contract", () => {
  assertEquals(
    bytesToHex(hashText("OrderCancellations(bytes[] orderUids)")),
    services.orderCancellations.typeHash,
  );
});
