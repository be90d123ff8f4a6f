// deno-lint-ignore-file no-console -- a program that tests run tells how far it is
/**
 * Exports a range of a recording, and kills its own process between two steps of a change; without a
 * step it says when it begins, and waits for nothing.
 *
 * `deno run -A export_until_killed.ts <folder> <recording> <from> <to> [step]`
 *
 * @module
 */
import { connect } from "orderlens";
import { replay } from "orderlens/recordings";
import { exportInSteps } from "../../lib/datasets/export/export_dataset.ts";
import { LATER } from "./folder_bytes.ts";

const [folder = "", recording = "", from, to, last] = Deno.args;
const book = connect(await replay(recording), { clock: LATER });
let steps = 0;
if (last === undefined) console.log("begins");
await exportInSteps(book, folder, { auctions: { from: Number(from), to: Number(to) } }, () => {
  if (++steps === Number(last)) Deno.kill(Deno.pid, "SIGKILL");
});
