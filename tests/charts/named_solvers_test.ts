import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import * as charts from "orderlens/charts";

const A = `0xaaaa${"0".repeat(32)}0001`;
const B = `0xbbbb${"0".repeat(32)}0002`;
const C = `0xcccc${"0".repeat(32)}0003`;
const NAMES: Readonly<Record<string, string | null>> = { [A]: "Barter", [B]: "Barter", [C]: null };

interface Solver {
  solver: string;
  solver_name: string | null;
}

/** Draws rows of all three solvers; how much they won falls from the first to the last. */
type Draw = (of: (make: (one: Solver, place: number) => unknown) => never) => charts.Chart;

const fill = (one: Solver, place: number) => ({
  ...one,
  order_uid: `0x0${place}`,
  kind: "sell",
  slippage_net_bps: 3 - place,
  network_bps: -1,
  protocol_bps: -1,
  partner_bps: 0,
  market_bps: 5 - place,
});

const DRAWN: Readonly<Record<string, Draw>> = {
  auctionRanking: (of) =>
    charts.auctionRanking(of((one, place) => ({
      ...one,
      auction_id: 7,
      ranking: place + 1,
      score_native: 3 - place,
      is_winner: place === 0,
      filtered_out: false,
      reference_score_native: 1,
    }))),
  bidsForOrder: (of) =>
    charts.bidsForOrder(of((one, place) => ({
      ...one,
      auction_id: 7,
      ranking: place + 1,
      is_winner: place === 0,
      filtered_out: false,
      over_limit_bps: 3 - place,
    }))),
  settlementOutcomes: (of) =>
    charts.settlementOutcomes(of((one, place) => ({
      ...one,
      in_time: 3 - place,
      late: 1,
      absent: 0,
      pending: 0,
    }))),
  gasSurplus: (of) =>
    charts.gasSurplus(of((one, place) => ({
      ...one,
      fills: 4,
      unknown_count: 0,
      below_gas_count: 0,
      surplus_native: 4 - place,
      gas_cost_native: 1,
      after_gas_native: 3 - place,
    }))),
  solverLeaderboard: (of) =>
    charts.solverLeaderboard(of((one, place) => ({
      ...one,
      auctions_bid: 4,
      auctions_won: 3 - place,
      win_rate: (3 - place) / 4,
    }))),
  solverMatrix: (of) =>
    charts.solverMatrix(of((one, place) => ({ ...one, pair: "X → Y", bids: 4, wins: 3 - place }))),
  winMargin: (of) =>
    charts.winMargin(of((one, place) => ({
      ...one,
      auction_id: place,
      margin_native: 3 - place,
      margin_share: 0.5,
    }))),
  solverImbalances: (of) =>
    charts.solverImbalances(of((one, place) => ({
      ...one,
      block_number: place,
      net_value_native: 3 - place,
    }))),
  slippageBySolver: (of) => charts.slippageBySolver(of(fill), { sort: "-median_bps" }),
  slippageDecomposition: (of) => charts.slippageDecomposition(of(fill), { by: "solver" }),
  slippageDistribution: (of) => charts.slippageDistribution(of(fill), { by: "solver" }),
};

function rows(names: Readonly<Record<string, string | null>>) {
  return (make: (one: Solver, place: number) => unknown) =>
    [A, B, C].map((solver, place) =>
      make({ solver, solver_name: names[solver] ?? null }, place)
    ) as never;
}

/** The texts of a drawing that are seen without pointing at anything. */
function seen(svg: string): string {
  return [...svg.replaceAll(/<(title|desc)>[^<]*<\/\1>/g, "").matchAll(/>([^<]+)</g)]
    .map(([, text]) => text).join("\n");
}

for (const [name, draw] of Object.entries(DRAWN)) {
  Deno.test(`${name}() groups solvers by address and shows their names`, () => {
    const { svg } = draw(rows(NAMES));
    const texts = seen(svg);
    assertStringIncludes(texts, "Barter 0xaaaa…0001");
    assertStringIncludes(texts, "Barter 0xbbbb…0002");
    assert(/0xcccc(…|0+)0003/.test(texts));
    const alone = seen(draw(rows({ [A]: "Barter", [B]: "Fractal" })).svg);
    assert(/Barter(?! 0x)/.test(alone) && !alone.includes("0xaaaa"), alone);
    assertStringIncludes(alone, "Fractal");
    if (name === "slippageDistribution") return;
    assert(/<title>[^<]*Barter \(0xaaaa(…|0+)0001\)/.test(svg));
  });

  Deno.test(`${name}() draws rows without names as rows that have no column of names`, () => {
    const nameless = (make: (one: Solver, place: number) => unknown) =>
      [A, B, C].map((solver, place) => {
        const { solver_name: _, ...row } = make({ solver, solver_name: null }, place) as Solver;
        return row;
      }) as never;
    assertEquals(draw(rows({})).svg, draw(nameless).svg);
  });
}

Deno.test("leftOnTheTable() names both solvers in its tooltips", () => {
  const { svg } = charts.leftOnTheTable([{
    order_uid: "0x01",
    auction_id: 7,
    executed_solver: A,
    executed_solver_name: "Barter",
    executed_over_limit_bps: 40,
    best_unexecuted_solver: B,
    best_unexecuted_solver_name: null,
    best_unexecuted_over_limit_bps: 42,
  }]);
  assertStringIncludes(svg, "by Barter (0xaaaa…0001)");
  assertStringIncludes(svg, "by 0xbbbb…0002");
});

Deno.test("solvers are sorted by the names that are shown", () => {
  const order = (sort: "solver" | "-solver") =>
    charts.settlementOutcomes(
      [[A, "Zeta"], [B, "Alpha"]].map(([solver, solver_name]) => ({
        solver: solver!,
        solver_name: solver_name!,
        in_time: 1,
        late: 0,
        absent: 0,
        pending: 0,
      })),
      { sort },
    ).rows.map((row) => row.solver_name);
  assertEquals(order("solver"), ["Alpha", "Zeta"]);
  assertEquals(order("-solver"), ["Zeta", "Alpha"]);
});
