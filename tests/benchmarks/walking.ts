import { LineProcess } from "../line_process.ts";
import { benchmarkProgram } from "./benchmark_program.ts";
import type { Benchmark } from "./ratio.ts";

const BYTES_A_MB = 1e6;

/**
 * The heap of the walk. Left alone V8 lets a heap grow with what is allocated, kept or not, which
 * would hide what is kept; this is twice what the program needs at its start.
 */
const HEAP_MB = 32;

/** Walking over many auctions, whose memory must not grow with their number. */
export function walkingBenchmarks(): Benchmark[] {
  return [{
    name: `resident memory after walking 10,000 competitions in a heap of ${HEAP_MB} MB / ` +
      "after the first 1,000",
    bar: 1.2,
    async measure() {
      await using server = new LineProcess(benchmarkProgram("./order_book_server.ts"));
      const args = [await server.line()];
      const v8Flags = [`--max-heap-size=${HEAP_MB}`];
      await using walk = new LineProcess(benchmarkProgram("./walk_memory.ts", { args, v8Flags }));
      const early = Number(await walk.line());
      const late = Number(await walk.line());
      const amounts = [early / BYTES_A_MB, late / BYTES_A_MB] as const;
      return { ratios: [late / early], amounts, unit: "MB" };
    },
  }];
}
