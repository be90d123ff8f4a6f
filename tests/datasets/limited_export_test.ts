import { connect, RateLimitedError } from "orderlens";
import { exportDataset, type ExportProgress, verifyDataset } from "orderlens/datasets";
import { systemClock } from "orderlens/http";
import { openSandbox } from "orderlens/sandbox";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { inFolder } from "../sandbox/temp_folder.ts";
import { listening, TestClock } from "./altered_book.ts";
import { exportedOnce, folderBytes, LATER, recorded } from "./exported.ts";
import { HostLimit } from "../../lib/datasets/rate_limit/host_limit.ts";

const RECORDING = await recorded("market_3");
const WANTED = { auctions: { from: 990, to: 1_003 }, tables: ["auctions", "trades"] };
const LATER_MS = LATER.now();
const honest = () => connect(RECORDING, { clock: new TestClock(LATER_MS) });

async function journalOf(folder: string): Promise<Record<string, unknown>[]> {
  const text = await Deno.readTextFile(`${folder}/.orderlens/runs.ndjson`);
  return text.trimEnd().split("\n").map((line) => JSON.parse(line));
}

const reports: ExportProgress[] = [];
const whole = await exportedOnce(honest(), { ...WANTED, onProgress: (one) => reports.push(one) });

Deno.test("progress reports the remaining requests, down to none", () => {
  const { requests, requestsLeft } = reports.at(-1)!;
  assertEquals([requests, requestsLeft], [whole.requests, 0]);
  assert(reports.every(({ requestsPerMinute }) => requestsPerMinute > 0));
});

inFolder.test("maxRequests stops a run with all responses stored, and the same call continues", async (folder) => {
  const options = { ...WANTED, maxRequests: 15 };
  const book = honest();
  const first = await exportDataset(book, folder, options);
  assertEquals([first.requests, first.stopped, first.manifest.isComplete], [
    15,
    "max_requests",
    false,
  ]);
  const { problems } = await verifyDataset(folder);
  assertEquals(problems.filter(({ file }) => file !== null), []);
  let [requests, runs] = [first.requests, 1];
  for (let stopped: string | null = "max_requests"; stopped !== null; runs++) {
    assert(runs < 20, "it goes on");
    const result = await exportDataset(book, folder, options);
    requests += result.requests;
    stopped = result.stopped;
  }
  assertEquals(await folderBytes(folder), whole.bytes);
  // Each run asks for the newest competition, and again for absent ids that were undecided.
  assert(requests <= whole.requests + 10 * (runs - 1), `${requests} of ${whole.requests}`);
  const journal = await journalOf(folder);
  assertEquals(journal.map(({ how }) => how), [
    ...Array.from({ length: runs - 1 }, () => "max_requests"),
    "done",
  ]);
  const sent = (line: Record<string, unknown>) =>
    Object.values(line.requests as Record<string, number>).reduce((a, b) => a + b, 0);
  assertEquals(journal.map(sent).reduce((a, b) => a + b, 0), requests);
});

inFolder.test("a block ends the export with all responses stored, and the next run continues", async (folder) => {
  let isBlocked = false;
  const clock = new TestClock(LATER_MS);
  const { book, asked } = listening(
    RECORDING,
    clock,
    (_, response) =>
      isBlocked
        ? { ...response, status: 403, contentType: "text/html", body: "<html>403</html>" }
        : response,
  );
  const progress: ExportProgress[] = [];
  const onProgress = (one: ExportProgress) => {
    progress.push(one);
    isBlocked ||= one.phase !== "competition";
  };
  const options = { ...WANTED, concurrency: 1 };
  await assertRejects(
    () => exportDataset(book, folder, { ...options, onProgress }),
    RateLimitedError,
    "try again at: 2027-01-01T01:10:00.000Z",
  );
  assertEquals(clock.ms, LATER_MS + 600_000);
  const waiting = progress.filter(({ waitingUntilMs }) => waitingUntilMs !== null);
  assertEquals(waiting.map(({ waitingUntilMs }) => waitingUntilMs), [LATER_MS + 600_000]);
  isBlocked = false;
  asked.length = 0;
  await exportDataset(book, folder, options);
  assertEquals(asked.filter((path) => /competition\/99\d$/.test(path)), []);
  assertEquals(await folderBytes(folder), whole.bytes);
  const [blocked, done] = await journalOf(folder);
  assertEquals([blocked?.how, blocked?.waits, done?.how], ["rate_limited", 1, "done"]);
});

inFolder.test("two processes with one limited sandbox stay below its limit together", async (folder) => {
  const [perMinute, windowMs] = [1_200, 1_000];
  await using sandbox = await openSandbox({
    seed: 5,
    auctions: 20,
    clock: "virtual",
    limits: { requestsPerMinute: 100 },
  });
  const { auctionId: latest } = await connect(sandbox).competition("latest");
  const arrivals: number[] = [];
  const refused: number[] = [];
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async (request) => {
      arrivals.push(performance.now());
      if (request.method === "HEAD") return new Response();
      const response = await sandbox.fetch(request);
      if (response.status === 429) refused.push(performance.now());
      return response;
    },
  );
  let own = 0;
  // The modules stay where they are.
  const cacheFolder = Deno.env.get("XDG_CACHE_HOME") ?? `${Deno.env.get("HOME")}/.cache`;
  const denoFolder = Deno.env.get("DENO_DIR") ?? `${cacheFolder}/deno`;
  const main = new URL("../../lib/cli/main.ts", import.meta.url).pathname;
  const host = `127.0.0.1:${server.addr.port}`;
  const { chainId, settlementContract } = sandbox.deployment;
  const exporting = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", main, "export", `${folder}/a`, "--no-debug-reports"]
      .concat("--url", `http://${host}`, "--chain-id", `${chainId}`, "--rate", `${perMinute}`)
      .concat("--settlement", settlementContract, "--tables", "auctions,trades")
      .concat("--auctions", `${latest - 14}..${latest - 6}`),
    env: { XDG_CACHE_HOME: folder, DENO_DIR: denoFolder },
  }).output();
  // This process asks as often as it may all the while.
  let isExporting = true;
  exporting.finally(() => isExporting = false);
  const limit = new HostLimit({
    host,
    folder: `${folder}/orderlens`,
    perMinute,
    clock: systemClock,
    onPause() {},
  });
  for (; isExporting; own++) {
    await limit.take(new AbortController().signal);
    await fetch(`http://${host}`, { method: "HEAD" });
  }
  const { success, stderr } = await exporting;
  assert(success, new TextDecoder().decode(stderr));
  assertEquals([...Deno.readDirSync(`${folder}/orderlens/limits`)].length, 1);
  assertEquals(refused, []);
  assert(own > 10 && arrivals.length - own > 10, `${own} of ${arrivals.length}`);
  const most = Math.max(
    ...arrivals.map((start) =>
      arrivals.filter((at) => at >= start && at < start + windowMs).length
    ),
  );
  // 20 a second, and what a busy machine delays into the second after.
  assert(most <= 24, `${most} of ${arrivals.length}`);
});

inFolder.test("a state of another version, or a corrupt one, is restored from the folder", async (folder) => {
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  const first = await exportDataset(honest(), folder, { ...WANTED, maxRequests: 15 });
  const state = `${folder}/.orderlens/state.sqlite`;
  const database = new DatabaseSync(state);
  database.exec("CREATE TABLE tomorrow (key TEXT)");
  database.close();
  const second = await exportDataset(honest(), folder, { ...WANTED, maxRequests: 15 });
  await Deno.writeTextFile(state, "no database".repeat(99));
  const third = await exportDataset(honest(), folder, WANTED);
  assertEquals(await folderBytes(folder), whole.bytes);
  const requests = first.requests + second.requests + third.requests;
  // When kept answers were given is not known: each later run asks for the newest competition and
  // once for each of six absent ids, and the third again for three reports of the second. What was
  // read of accounts is lost: each reads one again.
  assert(requests <= whole.requests + 2 * (1 + 6 + 1) + 3, `${requests} of ${whole.requests}`);
});
