// deno-lint-ignore-file no-console -- a process of a test says when it begins
/**
 * Exports a range of a recording, and kills its own process between two steps of a change; without a
 * step it says when it begins, and waits for nothing.
 *
 * `deno run -A export_until_killed.ts <folder> <recording> <from> <to> [step] [tables] [word]`
 *
 * With `settlements` as its last word, the range is of blocks; with `node`, the recording answers for
 * its chain too.
 *
 * @module
 */
import { connect } from "orderlens";
import type { ExportOptions } from "orderlens/datasets";
import { replay } from "orderlens/recordings";
import { exportInSteps } from "../../lib/datasets/export/export_dataset.ts";
import { LATER } from "./folder_bytes.ts";

const [folder = "", recording = "", from, to, last, names, word] = Deno.args;
const node = await replay(recording);
const book = connect(node, { clock: LATER });
let steps = 0;
if (last === undefined) console.log("begins");
const range = { from: Number(from), to: Number(to) };
const selection: ExportOptions = word === "settlements"
  ? { blocks: range, node, walk: word }
  : word === "node"
  ? { auctions: range, node }
  : { auctions: range };
const tables = names === undefined || names === "all" ? undefined : names.split(",");
await exportInSteps(book, folder, { ...selection, tables }, () => {
  if (++steps === Number(last)) Deno.kill(Deno.pid, "SIGKILL");
});
