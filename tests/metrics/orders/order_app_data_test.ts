import { assertEquals } from "@std/assert";
import { orderAppData, partnerAppData } from "../../../lib/metrics/orders/calculate_status.ts";

const RECIPIENT = `0x${"a1".repeat(20)}`;
const PARTNER = `{"metadata":{"partnerFee":{"bps":25,"recipient":"${RECIPIENT}"}}}`;

Deno.test("orderAppData() decodes the document of order bodies", () => {
  assertEquals(orderAppData({ fullAppData: PARTNER })?.metadata?.partnerFee, {
    bps: 25,
    recipient: RECIPIENT,
  });
});

Deno.test("orderAppData() is null for an invalid document", () => {
  for (const fullAppData of [null, undefined, "", "{", "7", '{"metadata":{"partnerFee":7}}']) {
    assertEquals(orderAppData({ fullAppData }), null, `${fullAppData}`);
  }
});

Deno.test("partnerAppData() returns the partner fees of every document that has some", () => {
  const escaped = PARTNER.replace("partnerFee", "partner\\u0046ee");
  for (const fullAppData of [PARTNER, escaped]) {
    assertEquals(partnerAppData({ fullAppData }), orderAppData({ fullAppData }));
  }
});

Deno.test("partnerAppData() does not parse a document without partner fees", () => {
  assertEquals(partnerAppData({ fullAppData: '{"appCode":"Bot"}' }), {});
  assertEquals(partnerAppData({ fullAppData: null }), null);
  assertEquals(partnerAppData({}), null);
});
