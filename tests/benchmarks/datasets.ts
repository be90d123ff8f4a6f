import { connect } from "orderlens";
import { exportDataset } from "orderlens/datasets";
import { formatShard } from "../../lib/datasets/layout/files.ts";
import { LATER } from "../datasets/exported.ts";
import { LineProcess } from "../line_process.ts";
import { withFolder } from "../sandbox/temp_folder.ts";
import { benchmarkProgram } from "./benchmark_program.ts";
import { MainnetMarket } from "./mainnet_market.ts";
import { type Benchmark, type Measurement, measurementOf } from "./ratio.ts";

const BYTES_A_MB = 1e6;
/** Polars takes one thread, so that one core and two can be compared. */
const ONE_THREAD = { POLARS_MAX_THREADS: "1" };
/** Auctions of a mainnet shard whose tables have some 100,000 rows. */
const AUCTIONS = 190;
const SHARDS = 10;

/** What a command took. */
interface Taken {
  /** Milliseconds that one core would have taken. */
  readonly cpuMs: number;
  /** Milliseconds. */
  readonly wallMs: number;
  /** Largest resident memory of the process so far, in bytes. */
  readonly peakBytes: number;
}

/** A server of a market, a program that works on its datasets, and a folder that ends with both. */
class Workshop implements AsyncDisposable {
  readonly folder = Deno.makeTempDirSync();
  /** Folder of the dataset. */
  readonly data = `${this.folder}/data`;
  readonly #server: LineProcess;
  readonly #address: Promise<string>;
  readonly #worker = worker();

  constructor(...args: string[]) {
    this.#server = new LineProcess(benchmarkProgram("./mainnet_server.ts", { args }));
    this.#address = this.#server.line();
  }

  /** What a command of the program takes, or of another one like it. */
  async take(command: string, by = this.#worker): Promise<Taken> {
    return JSON.parse(await by.ask(command));
  }

  async export(from: number, to: number): Promise<Taken> {
    return await this.take(`export ${await this.#address} ${this.data} ${from} ${to}`);
  }

  async countExport(from: number, to: number): Promise<Taken & { readonly requests: number }> {
    const command = `count_export ${await this.#address} ${this.data} ${from} ${to}`;
    return JSON.parse(await this.#worker.ask(command));
  }

  async request(): Promise<Taken> {
    return await this.take(`request ${await this.#address} ${this.folder}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker[Symbol.asyncDispose]();
    await this.#server[Symbol.asyncDispose]();
    await Deno.remove(this.folder, { recursive: true });
  }
}

function worker(): LineProcess {
  return new LineProcess({ ...benchmarkProgram("./dataset_work.ts"), env: ONE_THREAD });
}

/** Rounds of two commands, by what of them counts. */
async function ratioOf(
  rounds: number,
  counted: keyof Taken,
  [reference, measured]: readonly [() => Promise<Taken>, () => Promise<Taken>],
): Promise<Measurement> {
  const round = async () => [(await reference())[counted], (await measured())[counted]] as const;
  const all = await Array.fromAsync({ length: rounds + 1 }, round);
  // The first round warms up.
  return measurementOf(all.slice(1));
}

async function tablesFromBodies(): Promise<Measurement> {
  await using workshop = new Workshop("3000", "300");
  const { folder, data } = workshop;
  await workshop.export(1_000, 1_999);
  await workshop.take(`load ${data}`);
  return await ratioOf(5, "cpuMs", [
    () => workshop.take(`reference ${folder}`),
    () => workshop.take(`rebuild ${data} 1`),
  ]);
}

async function twoWorkers(): Promise<Measurement> {
  await using workshop = new Workshop("9000", "75");
  await workshop.export(1_000, 6_999);
  const rebuild = (workers: number) => () => workshop.take(`rebuild ${workshop.data} ${workers}`);
  return await ratioOf(4, "wallMs", [rebuild(1), rebuild(2)]);
}

/** Of ten times as many auctions: exports of them, or rebuilds in processes of their own. */
async function memoryOf(work: "export" | "rebuild"): Promise<Measurement> {
  const peakOf = async (shards: number) => {
    await using workshop = new Workshop("20000", String(AUCTIONS));
    const exported = await workshop.export(1_000, 999 + shards * 1_000);
    await using rebuilder = worker();
    const { peakBytes } = work === "export"
      ? exported
      : await workshop.take(`rebuild ${workshop.data} 1`, rebuilder);
    return peakBytes / BYTES_A_MB;
  };
  return measurementOf([[await peakOf(1), await peakOf(SHARDS)]], "MB");
}

async function exportOverLoopback(): Promise<Measurement> {
  await using workshop = new Workshop();
  let exported: Taken;
  const reference = async () => {
    exported = await workshop.export(1_605, 2_624);
    await workshop.take(`load ${workshop.data}`);
    const written = await workshop.take(`reference ${workshop.folder}`);
    return { ...written, cpuMs: written.cpuMs + (await workshop.request()).cpuMs };
  };
  return await ratioOf(4, "cpuMs", [reference, () => Promise.resolve(exported)]);
}

/** Ids of a day of mainnet, and of a month. */
const [DAY_IDS, MONTH_IDS] = [5_500, 165_000];

/** Exports a day or a month over loopback, in one process; each auction lists a hundred orders. */
async function exportIds(ids: number): Promise<Taken & { readonly requests: number }> {
  await using workshop = new Workshop(String(ids + 1_000), "1000", "100");
  return await workshop.countExport(1_000, 999 + ids);
}

/** What is claimed about an export of a month, which takes some 20 minutes of an idle machine. */
export function monthBenchmarks(): Benchmark[] {
  let month: ReturnType<typeof exportIds> | undefined;
  const takeMonth = () => month ??= exportIds(MONTH_IDS);
  const compare = (bar: number, amount: number, unit: Measurement["unit"]) =>
    measurementOf([[bar, amount]], unit);
  return [
    {
      name: "resident memory of an export of a month of mainnet / of a day",
      bar: 1.2,
      async measure() {
        const day = await exportIds(DAY_IDS);
        const bytes = [day.peakBytes, (await takeMonth()).peakBytes] as const;
        return compare(bytes[0] / BYTES_A_MB, bytes[1] / BYTES_A_MB, "MB");
      },
    },
    {
      name: "requests of a month of mainnet / its auction ids",
      bar: 1.45,
      measure: async () => compare(MONTH_IDS, (await takeMonth()).requests, "requests"),
    },
    {
      name: "time of one core for each request of an export of a month / 2 ms",
      bar: 1,
      async measure() {
        const { cpuMs, requests } = await takeMonth();
        return compare(2, cpuMs / requests, "ms");
      },
    },
  ];
}

/** A day of mainnet, without a node; with one it takes as many, since no log has the fees of a fill. */
async function requestsOfDay(): Promise<Measurement> {
  const ids = 5_500;
  // What an auction lists takes a request for 128 orders, and most of the time of serving it.
  const market = await MainnetMarket.open({ latest: ids + 1_000, listed: 100 });
  const { requests } = await withFolder((folder) =>
    exportDataset(connect(market, { clock: LATER }), folder, {
      auctions: { from: 501, to: 500 + ids },
      tables: ["orders", "trades", "protocol_fees"],
      debugReports: false,
    })
  );
  return measurementOf([[ids, requests]], "requests");
}

async function openThousandShards(): Promise<Measurement> {
  await using workshop = new Workshop("3000", "2");
  await workshop.export(1_000, 1_999);
  await multiply(workshop.data, 1_000);
  const [scan, count] = ["scan", "count"]
    .map((command) => () => workshop.take(`${command} ${workshop.data}`));
  return await ratioOf(9, "wallMs", [scan!, count!]);
}

/** Gives a dataset as many shards, all with the files of its own one. */
async function multiply(folder: string, shards: number): Promise<void> {
  const manifest = JSON.parse(await Deno.readTextFile(`${folder}/manifest.json`));
  const files: { path: string }[] = manifest.files;
  manifest.files = files.flatMap((file) =>
    Array.from({ length: shards }, (_, shard) => {
      return { ...file, path: file.path.replace(/\d+-\d+/, formatShard(shard + 1)) };
    })
  );
  const auctions = files.find(({ path }) => path.startsWith("auctions/"))!.path;
  for (const { path } of manifest.files) {
    if (path.startsWith("auctions/") && path !== auctions) {
      await Deno.copyFile(`${folder}/${auctions}`, `${folder}/${path}`);
    }
  }
  await Deno.writeTextFile(`${folder}/manifest.json`, JSON.stringify(manifest));
}

/** What is claimed about datasets, on auctions as large as those of mainnet. */
export function datasetBenchmarks(): Benchmark[] {
  const asRecorded = "JSON.parse and polars writing the records";
  const rows = (work: string) => `resident memory of ${work} of 1,000,000 rows / of 100,000`;
  const claims: [name: string, bar: number, measure: Benchmark["measure"]][] = [
    [
      `raw bodies of 300 mainnet auctions to all tables, answers included / ${asRecorded}`,
      3,
      tablesFromBodies,
    ],
    ["rebuild of 6 files of answers with two workers / with one", 1 / 1.6, twoWorkers],
    [rows("an export"), 1.2, () => memoryOf("export")],
    [rows("a rebuild"), 1.2, () => memoryOf("rebuild")],
    [
      `export of a market over loopback, answers included / its requests, kept, ${asRecorded}`,
      3,
      exportOverLoopback,
    ],
    ["requests of a day of mainnet / its auction ids", 1.6, requestsOfDay],
    ["open a dataset of 1,000 shards and count rows / polars' own scan", 3, openThousandShards],
  ];
  return claims.map(([name, bar, measure]) => ({ name, bar, measure }));
}
