import { assertEquals } from "@std/assert";
import { fillsTable, tradesTable } from "orderlens/tables";
import { auctionOf } from "../../metrics/auctions.ts";
import { cells, tradeOf } from "../made_up.ts";
import { competitions, records, trades } from "../market.ts";

const [A, B] = [`0x${"a0".repeat(20)}`, `0x${"b0".repeat(20)}`];
const PAIR = ["0x01", "0x02"] as const;
const ORDER = "0x01>0x02";

Deno.test("tradesTable() names the solver of the transaction, whichever solution lists the order", () => {
  const auction = auctionOf([
    { solver: A, score: 9n, pairs: [PAIR], isWinner: true, txHash: "0xaa" },
    { solver: B, score: 8n, pairs: [["0x03", "0x04"]], isWinner: true, txHash: "0xbb" },
  ], { transactionHashes: ["0xaa", "0xbb"] });
  const fills = [
    tradeOf({ orderUid: ORDER, txHash: "0xAA" }),
    tradeOf({ orderUid: "0x0e", txHash: "0xbb" }),
    tradeOf({ orderUid: ORDER, txHash: "0xcc" }),
    tradeOf({ orderUid: ORDER, txHash: null }),
  ];
  assertEquals(
    cells(tradesTable(fills, { competitions: [auction] }), "auction_id", "solver", "gaps"),
    [
      [auction.auctionId, A, "fill_time"],
      [auction.auctionId, B, "fill_time"],
      [null, null, "solver, fill_time"],
      [null, null, "solver, fill_time"],
    ],
  );
});

Deno.test("tradesTable() takes the winner with the order where no solution names the transaction", () => {
  const auction = auctionOf([
    { solver: A, score: 9n, pairs: [PAIR], isWinner: true },
    { solver: B, score: 8n, pairs: [PAIR] },
  ], { transactionHashes: ["0xaa"] });
  const options = { competitions: [auction], solvers: { [A]: "Alpha" } };
  const fills = [tradeOf({ orderUid: ORDER }), tradeOf({ orderUid: "0x0e" })];
  assertEquals(
    cells(tradesTable(fills, options), "solver", "solver_name", "gaps"),
    [[A, "Alpha", "fill_time"], [null, null, "solver, fill_time"]],
  );
});

Deno.test("tradesTable() names the auctions and solvers of the market as debug reports do", () => {
  const place = ["block_number", "log_index", "auction_id", "solver"];
  const own = cells(tradesTable(trades, { competitions }), ...place);
  const reported = cells(fillsTable(records), ...place);
  assertEquals(own.map(String).sort(), reported.map(String).sort());
  assertEquals(own.length, 664);
});
