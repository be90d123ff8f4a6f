// deno-lint-ignore-file no-console -- a task prints its result
/**
 * Kills exports with SIGKILL at seeded times, resumes each, and compares every file outside
 * `.orderlens/` with those of an uninterrupted export.
 *
 * `ORDERLENS_MOMENTS=100 deno run -A tests/datasets/kill_at_random_times.ts`
 *
 * @module
 */
import { connect } from "orderlens";
import { exportDataset, verifyDataset } from "orderlens/datasets";
import { replay } from "orderlens/recordings";
import { assertEquals } from "@std/assert";
import { withFolder } from "../sandbox/temp_folder.ts";
import { folderBytes, LATER, seededNumbers } from "./folder_bytes.ts";

const RECORDING = "market_3";
/** Across two files of 1,000 auction ids. */
const AUCTIONS = { from: 985, to: 1_010 };
const SCRIPT = new URL("./export_until_killed.ts", import.meta.url).pathname;
const MOMENTS = Number(Deno.env.get("ORDERLENS_MOMENTS") ?? 10);

const book = connect(await replay(RECORDING), { clock: LATER });

/** Runs an export in its own process, and kills it some time after its begin. */
async function killedAfter(folder: string, ms: number) {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", SCRIPT, folder, RECORDING]
      .concat([AUCTIONS.from, AUCTIONS.to].map(String)),
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const reader = child.stdout.getReader();
  await reader.read();
  const beginMs = performance.now();
  const timer = setTimeout(() => child.kill("SIGKILL"), ms);
  await reader.read().then(() => reader.cancel());
  const { signal } = await child.status;
  clearTimeout(timer);
  return { isKilled: signal === "SIGKILL", ms: performance.now() - beginMs };
}

let whole = new Map<string, string>();
let usualMs = 0;
await withFolder(async (folder) => {
  usualMs = (await killedAfter(folder, 2 ** 30)).ms;
  whole = await folderBytes(folder);
});

const times = seededNumbers(Number(Deno.env.get("ORDERLENS_SEED") ?? 14), Math.ceil(usualMs));
const reached = { killed: 0, ended: 0, files: new Map<number, number>() };
for (let moment = 0; moment < MOMENTS; moment++) {
  const ms = times.next().value;
  await withFolder(async (folder) => {
    reached[(await killedAfter(folder, ms)).isKilled ? "killed" : "ended"]++;
    const files = (await folderBytes(folder)).size;
    reached.files.set(files, (reached.files.get(files) ?? 0) + 1);
    await exportDataset(book, folder, { auctions: AUCTIONS });
    assertEquals(await folderBytes(folder), whole, `killed after ${ms} ms`);
    assertEquals((await verifyDataset(folder)).problems, []);
  });
}
const found = [...reached.files].sort(([a], [b]) => a - b).map(([files, count]) =>
  `${files}: ${count}`
);
console.log(
  `${reached.killed} killed within ${Math.ceil(usualMs)} ms, ${reached.ended} had ended; all equal`,
);
console.log(`moments by the number of files that were there: ${found.join(", ")}`);
