import process from "node:process";
import { connect } from "../../lib/client/mod.ts";
import { weekReport } from "orderlens/market";
import { replay } from "../../lib/recordings/mod.ts";
import { inspectOrder } from "../../lib/reports/mod.ts";
import { formatShard } from "../../lib/datasets/layout/files.ts";
import { SHIPPED_FOLDER } from "../../tools/datasets/write_shipped.ts";
import { refuseReports } from "../../tools/metrics/check_verdicts.ts";
import { withFolder } from "../sandbox/temp_folder.ts";
import { againstBar, type Benchmark, type Measurement, millisecondsOf } from "./ratio.ts";
import { openDuckDb, writeParquet } from "./seeded_fills.ts";

const BARS = { ms: 10_000, bytes: 2_000_000 };
/** The file of the shipped dataset that is repeated: it has 32 fills. */
const FILE = "0000002000-0000002999.parquet";
const SHARDS = 40;
const COPIES_A_SHARD = 32;
/** Solvers and partners for each of the shipped ones. */
const ACCOUNTS = 10;

/** Columns that differ between copies, by their name; `i` is the number of a copy. */
const VALUES: Readonly<Record<string, string>> = {
  auction_id: "auction_id + 1000 * i",
  block_number: "block_number + 1000 * i",
  order_uid: "'0x' || lpad(to_hex(i), 8, '0') || substr(order_uid, 11)",
  tx_hash: "'0x' || lpad(to_hex(i), 8, '0') || substr(tx_hash, 11)",
  solver: accountOf("solver"),
  recipient: accountOf("recipient"),
};

function accountOf(column: string): string {
  return `'0x' || lpad(to_hex(i % ${ACCOUNTS}), 2, '0') || substr(${column}, 5)`;
}

/**
 * Writes a dataset of one week with 40,960 fills, their fees and the outcomes of their auctions: those of
 * the shipped dataset, each copy with ids, accounts and hashes of its own.
 */
async function writeWeek(folder: string): Promise<void> {
  const shipped = `${SHIPPED_FOLDER}/market_1`;
  const manifest = JSON.parse(await Deno.readTextFile(`${shipped}/manifest.json`));
  using duckDb = await openDuckDb();
  const files = [];
  for (const file of manifest.files) {
    const [table = "", name] = file.path.split("/");
    await Deno.mkdir(`${folder}/${table}`, { recursive: true });
    if (name !== FILE || !["fills", "fees", "outcomes", "attempts"].includes(table)) {
      await Deno.copyFile(`${shipped}/${file.path}`, `${folder}/${file.path}`);
      files.push(file);
      continue;
    }
    const source = `read_parquet('${shipped}/${file.path}')`;
    const described = await duckDb.connection.runAndReadAll(`DESCRIBE SELECT * FROM ${source}`);
    const columns = described.getRows().map(([column]) => String(column));
    const values = columns.map((column) => `${VALUES[column] ?? `"${column}"`} AS "${column}"`);
    for (let shard = 0; shard < SHARDS; shard++) {
      const path = `${table}/${formatShard(2 + shard)}.parquet`;
      const [from, to] = [shard * COPIES_A_SHARD, (shard + 1) * COPIES_A_SHARD];
      const query = `SELECT ${values.join(", ")} FROM ${source}, range(${from}, ${to}) AS r(i)`;
      const facts = await writeParquet(duckDb, query, `${folder}/${path}`);
      files.push({ ...file, path, rows: file.rows * COPIES_A_SHARD, ...facts });
    }
  }
  // Public deployments name no solvers, so that files are read as they are.
  const deployment = await Deno.readTextFile(`${shipped}/deployment.json`);
  const { solvers: _, ...facts } = JSON.parse(deployment);
  await Deno.writeTextFile(`${folder}/deployment.json`, JSON.stringify(facts));
  await Deno.writeTextFile(`${folder}/manifest.json`, JSON.stringify({ ...manifest, files }));
}

/** What the report of that week takes. */
async function reportWeek(folder: string) {
  await writeWeek(folder);
  const begun = process.cpuUsage();
  const page = await weekReport(folder);
  const { user, system } = process.cpuUsage(begun);
  return { ms: (user + system) / 1_000, bytes: new TextEncoder().encode(page).length };
}

/** The report of a public order: its walk, the orders that are inspected, and milliseconds for each. */
const PUBLIC = { roundTripMs: 20, orders: 12, barMs: 4_000 };

/** Time of the reports of public orders whose auctions are walked within the default budget. */
async function measurePublicReports(): Promise<Measurement> {
  const recording = await replay("market_3");
  const refusing = refuseReports(recording);
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async (request) => {
      const { pathname, search } = new URL(request.url);
      const method = request.method as "GET" | "POST";
      const path = `${pathname}${search}`;
      const body = method === "POST" ? { body: await request.text() } : {};
      await new Promise((resolve) => setTimeout(resolve, PUBLIC.roundTripMs));
      const response = await refusing.send({ method, path, ...body })
        .catch(() => ({ status: 404, body: '{"errorType":"NotFound","description":"none"}' }));
      const headers = { "content-type": "application/json" };
      return new Response(response.body, { status: response.status, headers });
    },
  );
  const { chainId, settlementContract } = recording.deployment!;
  const book = connect(`http://127.0.0.1:${server.addr.port}`, { chainId, settlementContract });
  const times: number[] = [];
  for (const uid of recording.recorded.orderUids) {
    let isWalked = false;
    const ms = await millisecondsOf(async () => {
      isWalked = (await inspectOrder(book, uid)).evidence.walked !== null;
    });
    if (isWalked) times.push(ms);
    if (times.length > PUBLIC.orders) break;
  }
  // The first one loads modules.
  return againstBar(PUBLIC.barMs, times.slice(1));
}

/** What is claimed about the report of a week. */
export function reportingBenchmarks(): Benchmark[] {
  let reported: ReturnType<typeof reportWeek> | undefined;
  const measure = (what: keyof typeof BARS, unit: Measurement["unit"], a: number) => async () => {
    const value = (await (reported ??= withFolder(reportWeek)))[what];
    return againstBar(BARS[what] / a, [value / a], unit);
  };
  const week = "of the report of a week of 40,000 fills";
  return [
    { name: `time ${week} on one core / 10 s`, bar: 1, measure: measure("ms", "ms", 1) },
    { name: `file ${week} / 2 MB`, bar: 1, measure: measure("bytes", "MB", 1e6) },
    {
      name: "report of a public order within its budget, over 20 ms of delay / 4 s",
      bar: 1,
      measure: measurePublicReports,
    },
  ];
}
