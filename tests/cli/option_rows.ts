import { assertEquals, assertNotEquals } from "@std/assert";
import { readdir } from "node:fs/promises";
import { parseDeclaration } from "../../lib/cli/arguments/command_line.ts";
import { COMMANDS, run } from "../../lib/cli/mod.ts";
import { systemClock } from "../../lib/http/mod.ts";
import { openSandbox } from "../../lib/sandbox/mod.ts";
import { memoryIo, type MemoryOptions } from "./memory_io.ts";

/** A command line, and the same with an option: or another one, after `=>`. */
export type Rows = Readonly<Record<string, readonly string[]>>;

/** How options are shown to do something, by command. */
export type OptionTable = Readonly<Record<string, Rows>>;

/** A deployment with its node, which answers whatever host the command line asks. */
const sandbox = await openSandbox({ seed: 7, auctions: 12, clock: "virtual" });
const { chainId, settlementContract, accounts, orderUids } = sandbox.description;

/** An account with orders. */
export const ACCOUNT: string = accounts[1]!;
/** A folder for all files of a test; it is removed at the end. */
export const FOLDER: string = await Deno.makeTempDir();
Deno.test.afterAll(() => Deno.remove(FOLDER, { recursive: true }));
await Deno.writeTextFile(`${FOLDER}/key`, "a-key-of-a-partner-0123456789");
await Deno.writeTextFile(`${FOLDER}/node`, "http://127.0.0.1:6/rpc");

/** The newest auction that was settled. */
async function findSettled() {
  const route = "/api/v2/solver_competition";
  const { auctionId: latest } = await (await sandbox.fetch(`${route}/latest`)).json();
  for (let id = latest; id > 0; id--) {
    const response = await sandbox.fetch(`${route}/${id}`);
    const { auctionId, transactionHashes = [], solutions } = await response.json();
    const [txHash] = transactionHashes;
    const settled = solutions?.find((each: { txHash?: string | null }) => each.txHash === txHash);
    if (txHash !== undefined && settled !== undefined) {
      return { AUCTION: auctionId, TX: txHash, FILLED: settled.orders[0].id };
    }
  }
  throw new Error("No auction of the sandbox was settled");
}

/** An auction that was settled, the transaction and one of its orders. */
export const { AUCTION, TX, FILLED } = await findSettled();

/** An order that is open. */
async function findOpen(): Promise<string> {
  for (const uid of orderUids) {
    const { status } = await (await sandbox.fetch(`/api/v1/orders/${uid}`)).json();
    if (status === "open") return uid;
  }
  throw new Error("No order of the sandbox is open");
}

/** An order that is open. */
export const OPEN: string = await findOpen();
await Deno.writeTextFile(`${FOLDER}/uids`, FILLED);
await Deno.writeTextFile(`${FOLDER}/other_uids`, orderUids.slice(0, 3).join("\n"));

/** Words that name the deployment. */
export const HERE =
  `--url http://127.0.0.1:9 --chain-id ${chainId} --settlement ${settlementContract}`;
/** The same without its contract. */
export const WITHOUT_CONTRACT = `--url http://127.0.0.1:9 --chain-id ${chainId}`;
/** Words that name its node. */
export const NODE = "--rpc-url http://127.0.0.1:6/rpc";

const OTHER_CONTRACT = `0x${"12".repeat(20)}`;

/**
 * Rows of the options that name a deployment. `more` follows them. A seed that is refused was read: to
 * hold the auctions of a sandbox takes half a second.
 */
export function targetRows(command: string, more = "", here = HERE): Rows {
  const row = (before: string, after: string) => [
    `${command} ${before} ${more} => ${command} ${after} ${more}`,
  ];
  return {
    "--network": row(here, "--network mainnet"),
    "--env": row("--network mainnet", "--network mainnet --env staging"),
    "--url": row(here, here.replace(":9", ":8")),
    "--chain-id": row(here, here.replace(/--chain-id \d+/, "--chain-id 1")),
    "--settlement": row(here, here.replace(settlementContract, OTHER_CONTRACT)),
    "--recording": row(here, "--recording edges"),
    "--sandbox": row(here, "--sandbox eight"),
    "--api-key-file": row(here, `${here} --api-key-file ${FOLDER}/key`),
  };
}

/** Rows without those of an option. */
export function omitRow(rows: Rows, option: string): Rows {
  return Object.fromEntries(Object.entries(rows).filter(([name]) => name !== option));
}

/** Rows of the options that name a node. */
export function nodeRows(...commands: readonly string[]): Rows {
  return {
    "--rpc-url": commands.map((command) => `${command} => ${NODE}`),
    "--rpc-url-file": commands.map((command) => `${command} => --rpc-url-file ${FOLDER}/node`),
  };
}

/** What changes from run to run: times, versions of time, ports and the folder of a run. */
const TIMES =
  /\b1\d{12}(?:\.\d+)?\b|\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z| UTC)|\(?\d+ \w+ ago\)?|\d+(?:\.\d+)? ?m?s\b|(?<=127\.0\.0\.\d):\d{4,5}/g;

/** Where the files of a run go, in its words. */
export const OWN = "@own";

/** What a command line asked for, said and wrote. */
interface Trace {
  readonly code: number;
  readonly said: string;
  readonly requests: readonly string[];
  readonly files: readonly string[];
}

/** Uses the address that a command serves at, before it is stopped. */
type Probe = (url: string, send: typeof fetch) => Promise<string>;

/** How a command is run. */
export interface TraceOptions extends MemoryOptions {
  /** Looks at what is served: the command is stopped after that. */
  readonly probe?: Probe;
  /** Requests on stdin, each with an answer on stdout; then stdin ends. */
  readonly asked?: readonly object[];
}

/** Runs a command line in this process, with the sandbox in place of every host. */
export async function trace(line: string, options: TraceOptions = {}): Promise<Trace> {
  const own = await Deno.makeTempDir({ dir: FOLDER });
  const words = line.replaceAll(OWN, own).split(" ").filter((word) => word !== "");
  const requests: string[] = [];
  const real = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const body = await request.clone().text();
    const { headers } = request;
    const keys = `${headers.get("x-api-key") ?? ""} ${headers.has("orderlens-signature")}`;
    requests.push(`${request.method} ${url.host}${url.pathname}${url.search} ${keys} ${body}`);
    if (url.host === "hooks.test") return new Response(null, { status: 204 });
    const path = url.pathname.replace(/^.*?(?=\/(?:api|restricted|rpc|accounts)\b)/, "");
    // This one keeps debug reports for partners.
    if (url.port === "7" && path.startsWith("/restricted/")) {
      return new Response("", { status: 403 });
    }
    return await sandbox.fetch(`${path}${url.search}`, {
      method: request.method,
      headers,
      ...body !== "" && { body },
    });
  };
  const plain = (text: string) =>
    text.replaceAll(own, OWN).replaceAll(/\s+/g, " ").replaceAll(TIMES, "");
  try {
    const { code, out } = await runStopped(words, options, real);
    return {
      code,
      said: plain(out),
      requests: requests.toSorted(),
      files: await readFiles(own, plain),
    };
  } finally {
    globalThis.fetch = real;
  }
}

/** Waits that are no part of the pace of requests: a command that waits is stopped. */
const LONG_WAIT_MS = 5_000;

/** Runs something without waiting: a long wait is said, and ends it. */
async function withoutWaits<Result>(
  stop: (ms: number) => void,
  use: () => Promise<Result>,
): Promise<Result> {
  const { sleep } = systemClock;
  systemClock.sleep = async (ms, signal) => {
    if (ms >= LONG_WAIT_MS) stop(ms);
    signal.throwIfAborted();
    await Promise.resolve();
  };
  try {
    return await use();
  } finally {
    systemClock.sleep = sleep;
  }
}

async function runStopped(
  words: readonly string[],
  { probe, asked, ...options }: TraceOptions,
  real: typeof fetch,
): Promise<{ code: number; out: string }> {
  const controller = new AbortController();
  const { io, out, err } = memoryIo({ ...options, signal: controller.signal });
  const stop = (ms: number) => {
    out.push(`It waits ${ms}`);
    controller.abort();
  };
  if (asked !== undefined) {
    const answered = Promise.withResolvers<void>();
    const write = (text: string) => {
      if (out.push(text) === asked.length) answered.resolve();
    };
    const readPieces = async function* () {
      yield asked.map((each) => `${JSON.stringify(each)}\n`).join("");
      await Promise.race([answered.promise, ended]);
    };
    const ended: Promise<number> = withoutWaits(
      stop,
      () => run([...words], { ...io, readPieces, out: { ...io.out, write } }, COMMANDS),
    );
    return { code: await ended, out: `${out.toSorted().join("")}\n${err.join("")}` };
  }
  if (probe === undefined) {
    const code = await withoutWaits(stop, () => run([...words], io, COMMANDS));
    return { code, out: `${out.join("")}\n${err.join("")}` };
  }
  const { promise: served, resolve } = Promise.withResolvers<string>();
  const write = (text: string) => {
    out.push(text);
    resolve(text);
  };
  const ended = run([...words], { ...io, out: { ...io.out, write } }, COMMANDS);
  const text = await Promise.race([served, ended.then(() => "")]);
  const [url] = /http:\/\/[\d.]+:\d+/.exec(text) ?? [];
  const page = url === undefined ? "" : await probe(url, real);
  controller.abort();
  return { code: await ended, out: `${out.join("")}\n${err.join("")}\n${page}` };
}

/** Names of the files of a run, and texts of those that people read. */
async function readFiles(folder: string, plain: (text: string) => string): Promise<string[]> {
  const files: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = `${entry.parentPath}/${entry.name}`;
    const isText = /\.(?:json|csv|ndjson|html|ipynb|py|md)$/.test(path);
    files.push(plain(`${path} ${isText ? await Deno.readTextFile(path) : ""}`));
  }
  return files.toSorted();
}

/**
 * Tests that the table has every option of some commands, and that each changes a request, the output,
 * a file or the exit code. A line that is run twice must do the same, so that the option is the change.
 */
export function testOptions(
  table: OptionTable,
  { leftOut = {}, traceLine = trace }: {
    /** Options that the table leaves out, and why. */
    readonly leftOut?: Readonly<Record<string, string>>;
    /** Runs a line. */
    readonly traceLine?: (line: string) => Promise<unknown>;
  } = {},
): void {
  for (const [command, rows] of Object.entries(table)) {
    Deno.test(`each option of orderlens ${command} changes a request, a file or the output`, async () => {
      const spec = COMMANDS.find(({ name }) => name === command);
      const listed = Object.keys(spec?.options ?? {}).map((each) => parseDeclaration(each).name);
      const omitted = listed.filter((option) => `${command} ${option}` in leftOut);
      assertEquals([...Object.keys(rows), ...omitted].toSorted(), listed.toSorted());
      const traces = new Map<string, Promise<unknown>>();
      const traceOnce = (line: string) => {
        const known = traces.get(line) ?? traceLine(line);
        traces.set(line, known);
        return known;
      };
      const repeated = new Set<string>();
      for (const [option, lines] of Object.entries(rows)) {
        for (const line of lines) {
          const [base = "", more = ""] = line.split(" => ");
          const isWhole = more.startsWith(`${command} `) || more === command;
          const plain = await traceOnce(base);
          if (!repeated.has(base)) {
            assertEquals(await traceLine(base), plain, `twice ${base}`);
            repeated.add(base);
          }
          const other = await traceOnce(isWhole ? more : `${base} ${more}`);
          assertNotEquals(other, plain, `${command} ${option}: ${line}`);
        }
      }
    });
  }
}
