// deno-lint-ignore-file no-console -- a program that is run
// What somebody does with the package in Node; prints what came of it as JSON.
import { parseInstant } from "orderlens";
import { auctionRanking } from "orderlens/charts";
import { solverName } from "orderlens/networks";
import { show } from "orderlens/notebook";
import { record, replay } from "orderlens/recordings";
import { openSandbox } from "orderlens/sandbox";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const failure = async (work) => {
  try {
    await work();
    return "no error";
  } catch (error) {
    return error.message;
  }
};

const folder = await mkdtemp(join(tmpdir(), "orderlens-"));
const request = { method: "GET", path: "/api/v1/version" };
const live = await record(await replay("edges"), folder).send(request);
const again = await (await replay(folder)).send(request);
await rm(folder, { recursive: true });

const sandbox = await openSandbox({ seed: 7, clock: "virtual" });
await sandbox.advance({ auctions: 3 });

const png = await auctionRanking([]).png();

console.log(JSON.stringify({
  isInstant: parseInstant("2026-08-21T10:00:00.000001Z") instanceof Temporal.Instant,
  isRecordedAlike: live.body === again.body,
  sandbox: await (await sandbox.fetch("/api/v1/version")).text(),
  solver: solverName("mainnet", "0x01246d541e732d7f15d164331711edff217e4665"),
  png: String.fromCharCode(...png.slice(1, 4)),
  listen: await failure(() => sandbox.listen({ port: 0 })),
  show: await failure(() => show(1n)),
}));
