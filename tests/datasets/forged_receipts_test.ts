import { exportDataset, verifyDataset } from "orderlens/datasets";
import { assertEquals } from "@std/assert";
import { inFolder } from "../sandbox/temp_folder.ts";
import { changedBook } from "./altered_book.ts";
import { AlteredNode, type SettlementFields } from "./altered_node.ts";
import { LATER, recorded } from "./exported.ts";

/** A settlement of auction 2107 with one fill: what that bought, its fee, the solver, and what its gas cost by its receipt. */
const HASH = "0x68fc324f625e65374907f9b1430fdb148bdf54c1a7750ad0919d8678f8d2ef77";
const BOUGHT = 6695938140023565983n;
const FEE = 35361506318732580n;
const SOLVER = "0x9315fc8ffae493123b9b6b1c93d50c9b9eef0344";
const GAS_COST = "288914850550314";

/** What is forged before a dataset is exported. */
interface Forgery {
  /** Alters transaction and receipt of the settlement. */
  readonly node?: (fields: SettlementFields) => void;
  /** Alters what the service responds to requests of a path. */
  readonly service?: (path: string, body: string) => string;
  /** Auctions to export. @default {2105 to 2108} */
  readonly auctions?: { readonly from: number; readonly to: number };
  /** Kinds of the contradictions by which it is found. */
  readonly kinds: readonly string[];
}

function isOfFills(path: string): boolean {
  return path.startsWith("/api/v2/trades?");
}

function buyMore(body: string): string {
  return body.replaceAll(`"${BOUGHT}"`, `"${BOUGHT + 1n}"`);
}

function toWord(amount: bigint): string {
  return amount.toString(16).padStart(64, "0");
}

/** Adds the gas cost to the fill, as the service reports it since services#4540. */
function addGasCost(path: string, body: string): string {
  if (!isOfFills(path)) return body;
  const trades: { txHash: string }[] = JSON.parse(body);
  return JSON.stringify(
    trades.map((trade) => trade.txHash === HASH ? { ...trade, gasCost: GAS_COST } : trade),
  );
}

const FORGERIES: Readonly<Record<string, Forgery>> = {
  "no record": { service: addGasCost, kinds: [] },
  // Auction 2078 was settled after its deadline, as its solver did it.
  "no record of a late settlement": { auctions: { from: 2077, to: 2079 }, kinds: [] },
  "the amount of an event": {
    node: ({ receipt }) => {
      for (const log of receipt.logs) {
        log.data = log.data.replace(toWord(BOUGHT), toWord(BOUGHT + 1n));
      }
    },
    kinds: [
      "other_settled_amounts",
      "other_amounts",
      "other_fill",
      "other_executed_amounts",
      "other_executed_fee",
    ],
  },
  "the gas of a receipt": {
    node: ({ receipt }) => receipt.gasUsed = "0x1",
    service: addGasCost,
    kinds: ["gas_cost"],
  },
  "the amount of a fill": {
    service: (path, body) => isOfFills(path) ? buyMore(body) : body,
    kinds: ["executed_amounts", "report_fills", "solution_amounts", "other_fill"],
  },
  "the amount in all records of the service": {
    service: (_, body) => buyMore(body),
    kinds: ["other_amounts", "other_fill", "other_executed_amounts"],
  },
  "the executed fee in all records of the service": {
    service: (_, body) => body.replaceAll(`"${FEE}"`, `"${FEE - 1n}"`),
    kinds: ["other_executed_fee"],
  },
  "the solver in all records of the service": {
    service: (_, body) => body.replaceAll(SOLVER, SOLVER.replace(/.$/, "0")),
    // It settled two of the auctions.
    kinds: ["other_solver", "other_solver"],
  },
};

for (
  const [forged, { node: alter, service, auctions = { from: 2105, to: 2108 }, kinds }] of Object
    .entries(FORGERIES)
) {
  inFolder.test(`verifyDataset() finds by kept receipts that ${forged} was forged`, async (folder) => {
    const recording = await recorded("market_1");
    const node = new AlteredNode(recording, (hash, fields) => {
      if (hash === HASH) alter?.(fields);
    });
    const book = changedBook(recording, ({ path }, response) => {
      return service === undefined ? response : { ...response, body: service(path, response.body) };
    }, LATER);
    await exportDataset(book, folder, { auctions, node });
    const { problems } = await verifyDataset(folder, { recompute: true });
    const contradictions = problems.map(({ problem }) =>
      /^contradiction \((\w+)\): /.exec(problem)?.[1] ?? problem
    );
    assertEquals(contradictions.sort(), [...kinds].sort());
  });
}
