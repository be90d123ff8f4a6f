/**
 * Exports a range of a recording, and kills its own process between two steps of a change.
 *
 * `deno run -A export_until_killed.ts <folder> <recording> <from> <to> <step>`
 *
 * @module
 */
import { connect } from "orderlens";
import { replay } from "orderlens/recordings";
import { exportInSteps } from "../../lib/datasets/export/export_dataset.ts";
import { LATER } from "./folder_bytes.ts";

const [folder = "", recording = "", from, to, last] = Deno.args;
let steps = 0;
await exportInSteps(
  connect(await replay(recording), { clock: LATER }),
  folder,
  { auctions: { from: Number(from), to: Number(to) } },
  () => {
    if (++steps === Number(last)) Deno.kill(Deno.pid, "SIGKILL");
  },
);
