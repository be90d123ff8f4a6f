// deno-lint-ignore-file no-console -- a process of a test says when it begins
/**
 * Exports a range of a recording, and kills its own process between two steps of a change; without a
 * step it says when it begins, and waits for nothing.
 *
 * `deno run -A export_until_killed.ts <folder> <recording> <from> <to> [step] [tables] [node]`; with a
 * node, the recording answers for its chain too.
 *
 * @module
 */
import { connect } from "orderlens";
import { replay } from "orderlens/recordings";
import { exportInSteps } from "../../lib/datasets/export/export_dataset.ts";
import { LATER } from "./folder_bytes.ts";

const [folder = "", recording = "", from, to, last, names, node] = Deno.args;
const tape = await replay(recording);
const book = connect(tape, { clock: LATER });
let steps = 0;
if (last === undefined) console.log("begins");
const auctions = { from: Number(from), to: Number(to) };
const tables = names === undefined || names === "all" ? undefined : names.split(",");
const options = { auctions, tables, ...node === undefined ? {} : { node: tape } };
await exportInSteps(book, folder, options, () => {
  if (++steps === Number(last)) Deno.kill(Deno.pid, "SIGKILL");
});
