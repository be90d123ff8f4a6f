/**
 * Asks `orderlens serve` for pages over HTTP, and prints the memory of its process on the way:
 * `deno run -A tests/benchmarks/serving_memory.ts [REQUESTS]`.
 *
 * @module
 */
import { replay } from "orderlens/recordings";
import { report } from "../../tools/terminal/say.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";
import { readLines } from "../../tools/terminal/run_quietly.ts";
import { TaskError } from "../../tools/terminal/task_error.ts";

const RECORDING = "market_1";
/** Requests that are under way at the same time. */
const CLIENTS = 4;

/** Memory of a server after some requests. */
interface ServedMemory {
  /** Requests that it has answered. */
  readonly requests: number;
  /** Its resident memory, in megabytes. */
  readonly megabytes: number;
}

/**
 * Measures the memory of a server after each tenth of some requests: pages of orders with and without
 * pictures, of auctions, accounts and tokens, lists, data and queries.
 *
 * @throws {TaskError} If it answers with another status than 200.
 */
export async function* measureServedMemory(
  requests: number,
): AsyncGenerator<ServedMemory, void, undefined> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "lib/cli/main.ts", "serve", RECORDING, "--port", "0"],
    cwd: PROJECT_ROOT,
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  try {
    const { value: line } = await readLines(child.stdout).next();
    const [url] = /http:\S+\d/.exec(String(line)) ?? [];
    if (url === undefined) throw new TaskError(`The server did not start: ${line}`);
    const paths = await listPaths();
    for (let first = 0; first < requests; first += requests / 10) {
      const last = first + requests / 10;
      await askAll(url, paths, { first, last });
      yield { requests: last, megabytes: await readMegabytes(child.pid) };
    }
  } finally {
    child.kill("SIGTERM");
    await child.status;
  }
}

/** Sends requests, some at a time. */
async function askAll(
  url: string,
  paths: (index: number) => string,
  { first, last }: { readonly first: number; readonly last: number },
): Promise<void> {
  let index = first;
  const ask = async () => {
    while (index < last) {
      const path = paths(index++);
      const response = await fetch(`${url}${path}`);
      await response.body?.pipeTo(new WritableStream());
      if (response.status !== 200) throw new TaskError(`${path} answered ${response.status}`);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, ask));
}

/** Lists paths by the number of their request: no two of the searches and queries are alike. */
async function listPaths(): Promise<(index: number) => string> {
  const { recorded, deployment } = await replay(RECORDING);
  const { auctionIds, accounts, orderUids } = recorded;
  const tokens = deployment?.tokens ?? [];
  const pick = <Item>(items: readonly Item[], index: number) => items[index % items.length]!;
  return (index) => {
    const uid = pick(orderUids, index);
    if (index % 1_000 === 1) return `/sql?q=SELECT+${index},+*+FROM+fills+LIMIT+100`;
    if (index % 500 === 2) return `/orders?text=${uid.slice(2, 10)}${index}`;
    if (index % 100 === 3) return `/orders/${uid}`;
    if (index % 200 === 4) return `/accounts/${pick(accounts, index)}`;
    if (index % 1_000 === 5) return `/tokens/${pick(tokens, index).address}`;
    if (index % 7 === 0) return `/auctions/${pick(auctionIds, index)}`;
    return index % 3 === 0 ? `/orders/${uid}.json` : `/orders/${uid}?pictures=no`;
  };
}

async function readMegabytes(pid: number): Promise<number> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  return Number(/^VmRSS:\s*(\d+) kB/m.exec(status)?.[1]) * 1_024 / 1e6;
}

if (import.meta.main) {
  const [requests = "100000"] = Deno.args;
  for await (const memory of measureServedMemory(Number(requests))) report(JSON.stringify(memory));
}
