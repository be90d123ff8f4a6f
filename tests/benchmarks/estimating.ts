import { estimate, type EstimateQuery } from "../../lib/charts/mod.ts";
import process from "node:process";
import { againstBar, type Benchmark } from "./ratio.ts";

const ROWS = 50_000;
const ROUNDS = 5;
const BAR_MS = 1_500;

/** Rows of twenty groups, with the values and weights of a fixed generator. */
function seededRows() {
  let state = 12_345;
  const draw = () => (state = state * 48_271 % 2_147_483_647) / 2_147_483_647;
  return Array.from({ length: ROWS }, (_, index) => ({
    solver: `solver ${index % 20}`,
    bps: 100 * (draw() - 0.5),
    volume: Math.exp(6 * draw()),
  }));
}

/** What is claimed about estimates with 2,000 resamples. */
export function estimatingBenchmarks(): Benchmark[] {
  const rows = seededRows();
  const measure = (query: Pick<EstimateQuery, "stat" | "weight" | "by">) => () => {
    const round = () => {
      const begun = process.cpuUsage();
      estimate(rows, { value: "bps", n: 2_000, ...query });
      const { user, system } = process.cpuUsage(begun);
      return (user + system) / 1_000;
    };
    round();
    return againstBar(BAR_MS, Array.from({ length: ROUNDS }, round));
  };
  const weight = "volume";
  const all = "estimate() of 50,000 rows with 2,000 resamples on one core / 1.5 s";
  return [
    { name: `${all}: a median`, bar: 1, measure: measure({}) },
    { name: `${all}: a weighted median`, bar: 1, measure: measure({ weight }) },
    { name: `${all}: a weighted mean`, bar: 1, measure: measure({ weight, stat: "mean" }) },
    {
      name: `${all}: a ratio of each of 20 groups`,
      bar: 1,
      measure: measure({ weight, stat: "ratio", by: "solver" }),
    },
  ];
}
