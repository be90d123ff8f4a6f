/**
 * A program that works on datasets: it answers each line of its input, a command with its arguments,
 * with what that took, as JSON: milliseconds of one core, milliseconds, and its largest resident
 * memory so far in bytes.
 *
 * @module
 */
import pl from "nodejs-polars";
import { connect } from "orderlens";
import { exportDataset, openDataset, rebuildDataset } from "orderlens/datasets";
import type { HttpRequest, HttpResponse } from "orderlens/http";
import { readLines } from "../../tools/terminal/run_quietly.ts";
import { report } from "../../tools/terminal/say.ts";
import { DERIVED } from "../../lib/datasets/shards/published_tables.ts";
import { writeAll } from "../../lib/datasets/layout/files.ts";
import { readExchanges } from "../../lib/recordings/recording.ts";
import { LATER } from "../datasets/exported.ts";
import { open } from "node:fs/promises";
import { peakBytes } from "./benchmark_program.ts";

const CONCURRENCY = 6;

type Work = (...args: string[]) => unknown;
type Schema = ReturnType<typeof pl.DataFrame>["schema"];

/** The answers and the columns of a dataset, for the reference. */
let bodies: string[] = [];
let tables: { data: Record<string, unknown[]>; schema: Schema }[] = [];
let requests: HttpRequest[] = [];

const COMMANDS: Readonly<Record<string, Work>> = {
  /** Reads what the reference works on. */
  async load(folder) {
    const { manifest } = await openDataset(folder!);
    [bodies, tables] = [[], []];
    for (const { path } of manifest.files) {
      if (path.startsWith("raw/")) {
        for await (const { responseBody } of readExchanges(`${folder}/${path}`)) {
          bodies.push(responseBody);
        }
        continue;
      }
      if (DERIVED.includes(path.split("/")[0]!)) continue;
      const frame = pl.readParquet(`${folder}/${path}`);
      const columns = frame.columns.map((name) => [name, [...frame.getColumn(name)]]);
      tables.push({ data: Object.fromEntries(columns), schema: frame.schema });
    }
  },
  /** Parses the answers and writes the columns. */
  reference(folder) {
    for (const body of bodies) JSON.parse(body);
    for (const { data, schema } of tables) {
      const frame = pl.DataFrame(data, { schema });
      frame.writeParquet(`${folder}/reference.parquet`, { compression: "zstd" });
    }
  },
  rebuild: (folder, workers) => rebuildDataset(folder!, { workers: Number(workers) }),
  /** Exports a range, and remembers its requests. */
  async export(address, folder, from, to) {
    requests = [];
    await exportRange([address!, folder!, from!, to!], (request) => requests.push(request));
  },
  /** Exports a range as a public deployment serves it, and counts its requests. */
  async count_export(address, folder, from, to) {
    let count = 0;
    await exportRange([address!, folder!, from!, to!], () => count++, { debugReports: false });
    return { requests: count };
  },
  /** The requests of the last export, whose answers are kept as they come. */
  async request(address, folder) {
    const waiting = requests.values();
    await using kept = await open(`${folder}/reference.ndjson`, "w");
    const lane = async () => {
      for (const { method, path, body = null } of waiting) {
        const headers = body === null ? {} : { "content-type": "application/json" };
        const text = await (await fetch(`${address}${path}`, { method, body, headers })).text();
        const line = `${JSON.stringify({ method, path, requestBody: body, responseBody: text })}\n`;
        await writeAll(kept, new TextEncoder().encode(line));
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, lane));
    await kept.sync();
  },
  count: async (folder) =>
    await (await openDataset(folder!)).table("auctions").select(pl.len()).collect(),
  scan: async (folder) =>
    await pl.scanParquet(`${folder}/auctions/*.parquet`).select(pl.len()).collect(),
};

async function exportRange(
  [address, folder, from, to]: readonly [address: string, folder: string, from: string, to: string],
  onRequest: (request: HttpRequest) => void,
  options: { readonly debugReports?: boolean } = {},
): Promise<void> {
  const deployment = await (await fetch(`${address}/deployment`)).json();
  const { baseUrl, transport } = connect(address, { chainId: deployment.chainId });
  const send = (request: HttpRequest): Promise<HttpResponse> => {
    onRequest(request);
    return transport.send(request);
  };
  await Deno.remove(folder, { recursive: true }).catch(() => {});
  await exportDataset(
    connect({ baseUrl, deployment, send }, { clock: LATER }),
    folder,
    { auctions: { from: Number(from), to: Number(to) }, concurrency: CONCURRENCY, ...options },
  );
}

for await (const line of readLines(Deno.stdin.readable)) {
  const [command = "", ...args] = line.split(" ");
  const [usage, start] = [process.cpuUsage(), performance.now()];
  const result = await COMMANDS[command]!(...args);
  const wallMs = performance.now() - start;
  const { user, system } = process.cpuUsage(usage);
  const cpuMs = (user + system) / 1_000;
  const counted = command === "count_export" ? result as object : {};
  report(JSON.stringify({ cpuMs, wallMs, peakBytes: await peakBytes(), ...counted }));
}
