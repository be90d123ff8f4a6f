/**
 * Exports a range of a deployment at a rate, in a process of its own.
 *
 * `deno run -A export_at_rate.ts <url> <folder> <from> <to> <rate>`
 *
 * @module
 */
import { connect } from "orderlens";
import { exportDataset } from "orderlens/datasets";

const [url = "", folder = "", from, to, rate] = Deno.args;
const book = connect(url, { chainId: 100, settlementContract: `0x${"90".repeat(20)}` });
await exportDataset(book, folder, {
  auctions: { from: Number(from), to: Number(to) },
  tables: ["auctions", "trades"],
  debugReports: false,
  rate: Number(rate),
});
