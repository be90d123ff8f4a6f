/**
 * Exports a range of a recording, and kills its own process between two steps of a change.
 *
 * `deno run -A export_until_killed.ts <folder> <recording> <from> <to> <step> <tables>`
 *
 * @module
 */
import { connect } from "orderlens";
import { replay } from "orderlens/recordings";
import { exportInSteps } from "../../lib/datasets/export/export_dataset.ts";
import { LATER } from "./folder_bytes.ts";

const [folder = "", recording = "", from, to, last, names = ""] = Deno.args;
const book = connect(await replay(recording), { clock: LATER });
let steps = 0;
const auctions = { from: Number(from), to: Number(to) };
await exportInSteps(book, folder, { auctions, tables: names.split(",") }, () => {
  if (++steps === Number(last)) Deno.kill(Deno.pid, "SIGKILL");
});
