import { partnerNetFee, partnerServiceShare, policyOrigins } from "orderlens/metrics";
import { assert, assertEquals } from "@std/assert";
import type { AppData } from "orderlens";
import { decodeAppData, type FeePolicy } from "orderlens/schemas";
import { recordedRun } from "../recorded_run.ts";

const at = (text: string) => Temporal.Instant.from(text);

Deno.test("partnerServiceShare() is 15 %, 50 % and 25 %, and unknown while it changed", () => {
  for (
    const [time, numerator] of [
      ["2024-04-03T23:59:59.999Z", null],
      ["2024-04-04T00:00:00Z", 1_500n],
      ["2025-01-31T23:59:59.999Z", 1_500n],
      ["2025-02-01T00:00:00Z", 5_000n],
      ["2025-11-10T23:59:59.999Z", 5_000n],
      ["2025-11-11T00:00:00Z", null],
      ["2026-01-05T23:59:59.999Z", null],
      ["2026-01-06T00:00:00Z", 2_500n],
      ["2026-11-21T15:00:00Z", 2_500n],
    ] as const
  ) {
    const share = numerator === null ? null : { numerator, denominator: 10_000n };
    assertEquals(partnerServiceShare(at(time)), share, time);
  }
});

Deno.test("partnerNetFee() is what the service's share leaves, rounded down", () => {
  const time = at("2026-11-21T15:00:00Z");
  // 101 * 3 / 4 = 75.75; 2^256 - 1 is beyond doubles: 3 * (2^256 - 1) = 4 * (3 * 2^254 - 1) + 1.
  assertEquals([0n, 1n, 4n, 101n].map((fee) => partnerNetFee(fee, time)), [0n, 0n, 3n, 75n]);
  assertEquals(partnerNetFee(2n ** 256n - 1n, time), 3n * 2n ** 254n - 1n);
  assertEquals(partnerNetFee(101n, at("2025-06-01T00:00:00Z")), 50n);
  assertEquals(partnerNetFee(101n, at("2024-06-01T00:00:00Z")), 85n);
  assertEquals(partnerNetFee(101n, at("2025-12-01T00:00:00Z")), null);
});

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
  for (const trade of market.trades.values()) {
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
