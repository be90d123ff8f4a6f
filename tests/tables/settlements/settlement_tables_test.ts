import { assertEquals } from "@std/assert";
import { chainDifferencesTable, imbalancesTable, settlementsTable } from "orderlens/tables";
import { cells } from "../made_up.ts";
import { AUDITS, FACTS, NET_ATOMS, WITHOUT_LOGS } from "./audits.ts";

Deno.test("settlementsTable() has one row per audit, by block", () => {
  const frame = settlementsTable([WITHOUT_LOGS]);
  assertEquals(
    cells(
      frame,
      "tx_hash",
      "block_number",
      "auction_id",
      "succeeded",
      "trade_count",
      "gas_cost_atoms",
    ),
    [[WITHOUT_LOGS.txHash, 149, 1605, true, 1, `${422_408n * 1_050_000_002n}`]],
  );
  const blocks = cells(settlementsTable(AUDITS), "block_number").flat() as number[];
  assertEquals(blocks, AUDITS.map(({ blockNumber }) => blockNumber).sort((a, b) => a - b));
});

Deno.test("imbalancesTable() keeps every digit, and says why an imbalance is unknown", () => {
  const frame = imbalancesTable(AUDITS, FACTS);
  const known = cells(frame, "net_amount_atoms", "imbalance_reason").filter(([, reason]) =>
    reason === null
  );
  assertEquals(known.map(([net]) => net), NET_ATOMS);
  assertEquals(
    cells(imbalancesTable([WITHOUT_LOGS]), "token", "net_amount_atoms", "imbalance_reason"),
    [
      [null, null, "logs_incomplete"],
    ],
  );
  const unknown = {
    ...WITHOUT_LOGS,
    imbalances: { tokens: [], unknown: [{ token: "0xa1", why: "fee" }] },
  };
  assertEquals(cells(imbalancesTable([unknown]), "token", "net_amount_atoms", "imbalance_reason"), [
    ["0xa1", null, "fee"],
  ]);
});

Deno.test("chainDifferencesTable() has one row per difference", () => {
  assertEquals(
    cells(chainDifferencesTable(AUDITS), "what", "order_uid", "on_chain", "reported"),
    [["other_amounts", AUDITS[0]!.trades[0]!.uid, "sold 2, bought 3", "sold 2, bought 4"]],
  );
  assertEquals(chainDifferencesTable([WITHOUT_LOGS]).height, 0);
});
