// deno-lint-ignore-file no-console -- a process of a test says when it begins
/**
 * Exports a range of a recording, and kills its own process between two steps of a change; without a
 * step it says when it begins, and waits for nothing.
 *
 * `deno run -A export_until_killed.ts <folder> <recording> <from> <to> [step] [tables]`
 *
 * @module
 */
import { connect } from "orderlens";
import { replay } from "orderlens/recordings";
import { exportInSteps } from "../../lib/datasets/export/export_dataset.ts";
import { LATER } from "./folder_bytes.ts";

const [folder = "", recording = "", from, to, last, names] = Deno.args;
const book = connect(await replay(recording), { clock: LATER });
let steps = 0;
if (last === undefined) console.log("begins");
const auctions = { from: Number(from), to: Number(to) };
const tables = names === undefined || names === "all" ? undefined : names.split(",");
await exportInSteps(book, folder, { auctions, tables }, () => {
  if (++steps === Number(last)) Deno.kill(Deno.pid, "SIGKILL");
});
