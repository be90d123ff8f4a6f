import { connect } from "orderlens";
import { inspectOrder } from "orderlens/reports";
import { openSandbox } from "orderlens/sandbox";
import { assert, assertEquals } from "@std/assert";
import { checkVerdicts, withoutReports } from "../../../tools/metrics/check_verdicts.ts";
import { Tally } from "../../../tools/metrics/tally.ts";
import { recordedScenario } from "../../metrics/recorded_scenario.ts";

const FOLDER = new URL("../../../data/recorded", import.meta.url).pathname;
const SCENARIOS = [
  "ethflow__eth_flow_indexing_after_refund",
  "hooks__partial_fills",
  "order_cancellation__order_cancellation",
  "smart_contract_orders__smart_contract_orders",
  "tracking_insufficient_funds__test",
  "trades_v2__trades_v2_endpoints",
];

async function tallied(name: string, every = 1): Promise<Tally> {
  const tally = new Tally(name);
  await checkVerdicts(await recordedScenario(name), FOLDER, tally, { every });
  return tally;
}

Deno.test("inspectOrder() judges recorded orders as the service's own rows do", async () => {
  for (const name of SCENARIOS) {
    const { failures, counts } = await tallied(name);
    assertEquals(failures, []);
    assert(counts.get("verdicts/public")!.made > 0, name);
  }
});

Deno.test("inspectOrder() judges every fortieth order of a market so, with and without its report", async () => {
  const { failures, counts } = await tallied("market_3", 40);
  assertEquals(failures, []);
  assertEquals(counts.get("verdicts")!.made, 14);
  assert(counts.get("verdicts/deep")!.made >= 2);
});

Deno.test("checkVerdicts() finds a verdict that is not what was stored", async () => {
  const scenario = await recordedScenario("trades_v2__trades_v2_endpoints");
  const tally = new Tally("changed");
  const auctions = scenario.truth!.competition_auctions!.map((row) => ({ ...row, deadline: 0 }));
  const changed = { ...scenario.truth!, competition_auctions: auctions };
  await checkVerdicts({ ...scenario, truth: changed }, FOLDER, tally);
  assert(
    tally.failures.some((line) => line.includes("filled, but filled_late by what was stored")),
  );
});

Deno.test("inspectOrder() of a sandbox with faults says the same without the report, or that it is unknown", async () => {
  const seen = new Set<string>();
  for (const seed of [3]) {
    await using sandbox = await openSandbox({ seed, auctions: 25 });
    const book = connect(sandbox);
    for (const kind of ["unknownFields", "rateLimited", "reset"] as const) {
      sandbox.fault({ kind, rate: 0.1 });
    }
    const uids = new Set<string>();
    for await (const { competition } of book.competitions({ last: 20 })) {
      for (const uid of competition?.auction.orders ?? []) uids.add(uid);
    }
    const { transport, baseUrl } = book;
    const bare = connect(withoutReports({
      baseUrl,
      deployment: sandbox.deployment,
      send: (request) => transport.send(request),
    }));
    for (const uid of [...uids].slice(0, 20)) {
      const full = await inspectOrder(book, uid, { now: sandbox.now });
      const part = await inspectOrder(bare, uid, { now: sandbox.now });
      seen.add(full.verdict);
      if (part.cause === "unknown") assert(part.possible.includes(full.cause), full.sentence);
      else assertEquals(part.cause, full.cause, uid);
    }
  }
  assert(seen.size >= 3, [...seen].join());
});
