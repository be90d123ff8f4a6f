// deno-lint-ignore-file no-console -- a process of a test says when it begins
/**
 * Exports a range of a recording, and kills its own process between two steps of a change; without a
 * step it says when it begins, and waits for nothing.
 *
 * `deno run -A export_until_killed.ts <folder> <recording> <from> <to> [step] [tables] [walk]`
 *
 * With `settlements` as its last word, the range is of blocks.
 *
 * @module
 */
import { connect } from "orderlens";
import type { ExportOptions } from "orderlens/datasets";
import { replay } from "orderlens/recordings";
import { exportInSteps } from "../../lib/datasets/export/export_dataset.ts";
import { LATER } from "./folder_bytes.ts";

const [folder = "", recording = "", from, to, last, names, walk] = Deno.args;
const node = await replay(recording);
const book = connect(node, { clock: LATER });
let steps = 0;
if (last === undefined) console.log("begins");
const range = { from: Number(from), to: Number(to) };
const selection: ExportOptions = walk === "settlements"
  ? { blocks: range, node, walk }
  : { auctions: range };
await exportInSteps(book, folder, { ...selection, tables: names?.split(",") }, () => {
  if (++steps === Number(last)) Deno.kill(Deno.pid, "SIGKILL");
});
