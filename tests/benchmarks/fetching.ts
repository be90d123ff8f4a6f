import { TaskError } from "../../tools/terminal/task_error.ts";
import { LineProcess } from "../line_process.ts";
import { sdkProgram, type SdkRuntime } from "../peers/sdk_program.ts";
import { benchmarkProgram } from "./benchmark_program.ts";
import { type Benchmark, type Measurement, measurementOf, measureRatio } from "./ratio.ts";

function serveOrders(): LineProcess {
  return new LineProcess(benchmarkProgram("./order_book_server.ts"));
}

/** Gives a client a command that ends with how many orders it must get. */
async function doWork(client: LineProcess, command: string): Promise<void> {
  const got = await client.ask(command);
  if (!command.endsWith(` ${got}`)) throw new TaskError(`${command} got ${got} orders`);
}

/** Work of the official SDK and that of this project, each in a process of its own, in turn. */
async function againstSdk(
  runtime: SdkRuntime,
  reference: string,
  measured = reference,
): Promise<Measurement> {
  const program = await sdkProgram("sdk_client.mjs", runtime);
  await using server = serveOrders();
  const address = await server.line();
  await using sdk = new LineProcess({ ...program, args: [...program.args, address] });
  await using own = new LineProcess(benchmarkProgram("./own_client.ts", { args: [address] }));
  return await measureRatio({
    reference: () => doWork(sdk, reference),
    measured: () => doWork(own, measured),
  });
}

/** Two ways of this project to get orders over a network whose round trip takes 20 ms. */
async function overSlowNetwork(reference: string, measured: string): Promise<Measurement> {
  await using server = serveOrders();
  const args = [`${await server.line()}/slow`];
  await using client = new LineProcess(benchmarkProgram("./own_client.ts", { args }));
  return await measureRatio({
    reference: () => doWork(client, reference),
    measured: () => doWork(client, measured),
    rounds: 3,
  });
}

function againstSdkBenchmarks(
  runtime: SdkRuntime,
  bars: { readonly pages: number; readonly singles: number },
): Benchmark[] {
  return [
    {
      name: `5 pages of 1,000 orders, one ahead, validated / official SDK under ${runtime}`,
      bar: bars.pages,
      measure: () => againstSdk(runtime, "pages 5000", "pages_ahead 5000"),
    },
    {
      name: `300 single orders, validated / official SDK under ${runtime}`,
      bar: bars.singles,
      measure: () => againstSdk(runtime, "singles 300"),
    },
  ];
}

/** Getting orders over loopback, against the official SDK and against one request an order. */
export function fetchingBenchmarks(): Benchmark[] {
  return [
    {
      name: "10,000 orders by_uids at 20 ms a round trip / 500 one by one (1.00 is 20 × faster)",
      bar: 1,
      measure: () => overSlowNetwork("one_by_one 500", "by_uids 10000"),
    },
    ...againstSdkBenchmarks("Node", { pages: 0.9, singles: 1 / 1.2 }),
    // Under the same engine, with the same `fetch`, what differs is what the SDK omits: it validates
    // nothing, sets no time limit and bounds no body.
    ...againstSdkBenchmarks("Deno", { pages: 2, singles: 2 }),
  ];
}

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
      await using server = serveOrders();
      const args = [await server.line()];
      const v8Flags = [`--max-heap-size=${HEAP_MB}`];
      await using walk = new LineProcess(benchmarkProgram("./own_client.ts", { args, v8Flags }));
      const early = Number(await walk.ask("walk 1000"));
      const late = Number(await walk.line());
      return measurementOf([[early / BYTES_A_MB, late / BYTES_A_MB]], "MB");
    },
  }];
}
