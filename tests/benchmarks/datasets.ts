import { connect } from "orderlens";
import { exportDataset } from "orderlens/datasets";
import { LATER } from "../datasets/exported.ts";
import { LineProcess } from "../line_process.ts";
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

/** A program that works on datasets, a server of a market, and folders that both end with. */
class Workshop implements AsyncDisposable {
  readonly folder = Deno.makeTempDirSync();
  readonly #server: LineProcess;
  readonly #address: Promise<string>;

  constructor(...args: string[]) {
    this.#server = new LineProcess(benchmarkProgram("./mainnet_server.ts", { args }));
    this.#address = this.#server.line();
  }

  worker(): LineProcess {
    return new LineProcess({ ...benchmarkProgram("./dataset_work.ts"), env: ONE_THREAD });
  }

  async export(worker: LineProcess, name: string, from: number, to: number): Promise<Taken> {
    const [address, folder] = [await this.#address, `${this.folder}/${name}`];
    return await take(worker, `export ${address} ${folder} ${from} ${to}`);
  }

  async request(worker: LineProcess): Promise<Taken> {
    return await take(worker, `request ${await this.#address} ${this.folder}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
    await Deno.remove(this.folder, { recursive: true });
  }
}

async function take(worker: LineProcess, command: string): Promise<Taken> {
  const [cpuMs, wallMs, peakBytes] = (await worker.ask(command)).split(" ").map(Number);
  return { cpuMs: cpuMs!, wallMs: wallMs!, peakBytes: peakBytes! };
}

/** Rounds of two commands, by what of them counts. */
async function ratioOf(
  rounds: number,
  reference: () => Promise<number>,
  measured: () => Promise<number>,
): Promise<Measurement> {
  const all: [number, number][] = [];
  for (let round = 0; round <= rounds; round++) all.push([await reference(), await measured()]);
  // The first round warms up.
  return measurementOf(all.slice(1));
}

async function tablesFromBodies(): Promise<Measurement> {
  await using workshop = new Workshop("3000", "300");
  await using worker = workshop.worker();
  await workshop.export(worker, "data", 1_000, 1_999);
  const folder = `${workshop.folder}/data`;
  await take(worker, `load ${folder}`);
  return await ratioOf(
    5,
    async () => (await take(worker, `reference ${workshop.folder}`)).cpuMs,
    async () => (await take(worker, `rebuild ${folder} 1`)).cpuMs,
  );
}

async function twoWorkers(): Promise<Measurement> {
  await using workshop = new Workshop("9000", "75");
  await using worker = workshop.worker();
  await workshop.export(worker, "data", 1_000, 6_999);
  const folder = `${workshop.folder}/data`;
  const rebuild = async (workers: number) =>
    (await take(worker, `rebuild ${folder} ${workers}`)).wallMs;
  return await ratioOf(4, () => rebuild(1), () => rebuild(2));
}

/** Of ten times as many auctions: exports of them, or rebuilds in processes of their own. */
async function memoryOf(work: "export" | "rebuild"): Promise<Measurement> {
  await using workshop = new Workshop("20000", String(AUCTIONS));
  const peaks: number[] = [];
  for (const shards of [1, SHARDS]) {
    await using exporter = workshop.worker();
    const folder = String(shards);
    const exported = await workshop.export(exporter, folder, 1_000, 999 + shards * 1_000);
    await using rebuilder = workshop.worker();
    const { peakBytes } = work === "export"
      ? exported
      : await take(rebuilder, `rebuild ${workshop.folder}/${folder} 1`);
    peaks.push(peakBytes / BYTES_A_MB);
  }
  return measurementOf([[peaks[0]!, peaks[1]!]], "MB");
}

async function exportOverLoopback(): Promise<Measurement> {
  await using workshop = new Workshop();
  await using worker = workshop.worker();
  const exported: number[] = [];
  return await ratioOf(
    4,
    async () => {
      exported.push((await workshop.export(worker, "data", 1_605, 2_624)).cpuMs);
      await take(worker, `load ${workshop.folder}/data`);
      const { cpuMs } = await take(worker, `reference ${workshop.folder}`);
      return cpuMs + (await workshop.request(worker)).cpuMs;
    },
    () => Promise.resolve(exported.pop()!),
  );
}

/** A day of mainnet, without a node; with one it takes as many, since no log has the fees of a fill. */
async function requestsOfDay(): Promise<Measurement> {
  const ids = 5_500;
  // What an auction lists takes a request for 128 orders, and most of the time of serving it.
  const market = await MainnetMarket.open({ latest: ids + 1_000, listed: 100 });
  const folder = await Deno.makeTempDir();
  try {
    const { requests } = await exportDataset(connect(market, { clock: LATER }), folder, {
      auctions: { from: 501, to: 500 + ids },
      tables: ["orders", "trades", "protocol_fees"],
      debugReports: false,
    });
    return measurementOf([[ids, requests]], "requests");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function openThousandShards(): Promise<Measurement> {
  await using workshop = new Workshop("3000", "2");
  await using worker = workshop.worker();
  await workshop.export(worker, "data", 1_000, 1_999);
  const folder = `${workshop.folder}/data`;
  await multiply(folder, 1_000);
  return await ratioOf(
    9,
    async () => (await take(worker, `scan ${folder}`)).wallMs,
    async () => (await take(worker, `count ${folder}`)).wallMs,
  );
}

/** Gives a dataset as many shards, all with the files of its own one. */
async function multiply(folder: string, shards: number): Promise<void> {
  const manifest = JSON.parse(await Deno.readTextFile(`${folder}/manifest.json`));
  const files: { path: string }[] = manifest.files;
  manifest.files = files.flatMap((file) =>
    Array.from({ length: shards }, (_, shard) => {
      const first = String((shard + 1) * 1_000).padStart(10, "0");
      return { ...file, path: file.path.replace(/\/\d+-/, `/${first}-`) };
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
  return [
    {
      name:
        "raw bodies of 300 mainnet auctions to all tables, answers included / JSON.parse and polars writing the records",
      bar: 3,
      measure: tablesFromBodies,
    },
    {
      name: "rebuild of 6 files of answers with two workers / with one",
      bar: 1 / 1.6,
      measure: twoWorkers,
    },
    {
      name: "resident memory of an export of 1,000,000 rows / of 100,000",
      bar: 1.2,
      measure: () => memoryOf("export"),
    },
    {
      name: "resident memory of a rebuild of 1,000,000 rows / of 100,000",
      bar: 1.2,
      measure: () => memoryOf("rebuild"),
    },
    {
      name:
        "export of a market over loopback, answers included / its requests, kept, JSON.parse and polars writing the records",
      bar: 3,
      measure: exportOverLoopback,
    },
    {
      name: "requests of a day of mainnet / its auction ids",
      bar: 1.6,
      measure: requestsOfDay,
    },
    {
      name: "open a dataset of 1,000 shards and count rows / polars' own scan",
      bar: 3,
      measure: openThousandShards,
    },
  ];
}
