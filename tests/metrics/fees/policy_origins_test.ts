import type { AppData } from "orderlens";
import { policyOrigins } from "orderlens/metrics";
import { decodeAppData, type FeePolicy } from "orderlens/schemas";
import { assert, assertEquals } from "@std/assert";
import { recordedRun } from "../recorded_run.ts";

const PROTOCOL: FeePolicy[] = [
  { priceImprovement: { factor: 0.5, maxVolumeFactor: 0.0098 } },
  { volume: { factor: 0.0002 } },
];
const A = "0x0101010101010101010101010101010101010101";
const B = "0x0202020202020202020202020202020202020202";

function asking(...partnerFee: unknown[]): AppData {
  return decodeAppData({
    metadata: { partnerFee: partnerFee.length === 1 ? partnerFee[0] : partnerFee },
  });
}

function origins(policies: readonly FeePolicy[], appData: AppData | null): string[] {
  return policyOrigins(policies, appData).map(({ origin, recipient }) => recipient ?? origin);
}

Deno.test("policyOrigins() attributes the last policies to the app data, the others to the protocol", () => {
  const policies = [...PROTOCOL, { volume: { factor: 0.0025 } }];
  assertEquals(
    origins(policies, asking({ volumeBps: 25, recipient: A })),
    ["protocol", "protocol", A],
  );
});

Deno.test("policyOrigins() supports every form of a partner fee", () => {
  const improvement = { priceImprovement: { factor: 0.3, maxVolumeFactor: 0.01 } };
  const surplus = { surplus: { factor: 0.2, maxVolumeFactor: 0.01 } };
  const volume = { volume: { factor: 0.0025 } };
  assertEquals(
    origins(
      [...PROTOCOL, improvement, surplus, volume, volume],
      asking(
        { priceImprovementBps: 3_000, maxVolumeBps: 100, recipient: A },
        { surplusBps: 2_000, maxVolumeBps: 100, recipient: B },
        { volumeBps: 25, recipient: A },
        { bps: 25, recipient: B },
      ),
    ),
    ["protocol", "protocol", A, B, A, B],
  );
});

// Caps of the service's own tests (crates/autopilot/src/domain/fee/mod.rs): what the first fee left of
// a maximum of 30 % is (1 + 0.3) / (1 + 0.2) - 1.
Deno.test("policyOrigins() recognizes a partner fee that the service capped", () => {
  const policies = [{ volume: { factor: 0.2 } }, { volume: { factor: 1.3 / 1.2 - 1 } }];
  const appData = asking({ bps: 2_000, recipient: A }, { bps: 2_000, recipient: B });
  assertEquals(origins(policies, appData), [A, B]);
});

Deno.test("policyOrigins() are all the protocol's for a document without partner fees", () => {
  assertEquals(origins(PROTOCOL, {}), ["protocol", "protocol"]);
  assertEquals(origins(PROTOCOL, { metadata: {} }), ["protocol", "protocol"]);
  assertEquals(origins(PROTOCOL, asking()), ["protocol", "protocol"]);
});

Deno.test("policyOrigins() are unknown without the document", () => {
  assertEquals(origins(PROTOCOL, null), ["unknown", "unknown"]);
  assertEquals(policyOrigins([], null), []);
});

Deno.test("policyOrigins() are unknown if the policies do not match the document", () => {
  const asked = asking({ volumeBps: 1, recipient: A });
  assertEquals(origins(PROTOCOL, asked), ["unknown", "unknown"]);
  assertEquals(origins([], asked), []);
  assertEquals(
    origins([{ surplus: { factor: 0.1, maxVolumeFactor: 0.00001 } }], asked),
    ["unknown"],
  );
  assertEquals(policyOrigins([null], asked), [{ origin: "unknown", recipient: null }]);
  const one = [{ volume: { factor: 0.0001 } }];
  const two = asking({ volumeBps: 1, recipient: A }, { volumeBps: 1, recipient: B });
  assertEquals(origins(one, two), ["unknown"]);
});

Deno.test("policyOrigins() finds every partner fee of a recorded market", async () => {
  const market = await recordedRun("market_1");
  const counted = { protocol: 0, partner: 0, unknown: 0 };
  for (const trade of market.trades) {
    const { fullAppData } = market.orders.get(trade.orderUid) ?? {};
    assert(typeof fullAppData === "string");
    const appData = decodeAppData(JSON.parse(fullAppData));
    const policies = trade.executedProtocolFees?.map((fee) => fee.policy) ?? [];
    const asked = appData.metadata?.partnerFee;
    const found = policyOrigins(policies, appData);
    for (const { origin } of found) counted[origin]++;
    assertEquals(
      found.filter(({ origin }) => origin === "partner").length,
      asked === undefined ? 0 : Array.isArray(asked) ? asked.length : 1,
    );
  }
  // Two protocol policies a fill.
  assertEquals(counted.protocol, 2 * 664);
  assertEquals(counted.unknown, 0);
});
