import { fillsTable, ordersTable } from "orderlens/tables";
import { assertEquals } from "@std/assert";
import { orderOf } from "../../metrics/reports.ts";
import { cells, tradeOf } from "../made_up.ts";

const [A, B] = [`0x${"Aa".repeat(20)}`, `0x${"bB".repeat(20)}`];
const HOOK = { target: A, callData: "0x", gasLimit: "1" };
const COLUMNS = [
  "app_code",
  "widget_app_code",
  "order_class",
  "slippage_bips",
  "is_smart_slippage",
  "hook_count",
  "bridge_destination_chain",
  "is_flash_loan",
  "wrapper",
  "partner_recipient",
] as const;

function documented(document: unknown) {
  return orderOf({ fullAppData: document === null ? null : JSON.stringify(document) });
}

const WHOLE = documented({
  appCode: "page",
  metadata: {
    widget: { appCode: "CoW Swap" },
    orderClass: { orderClass: "twap" },
    quote: { slippageBips: "12.5", smartSlippage: true },
    hooks: { pre: [HOOK], post: [HOOK, HOOK] },
    bridging: { destinationChainId: 1151111081099710 },
    flashloan: { token: A, amount: "1" },
    wrappers: [{ address: A }, { address: B }],
    partnerFee: [
      { volumeBps: 10, recipient: A },
      { bps: 5, recipient: B },
      { surplusBps: 2_000, maxVolumeBps: 100, recipient: A },
    ],
  },
});

Deno.test("orders and fills have what the app data document says", () => {
  const [a, b] = [A, B].map((address) => address.toLowerCase());
  const both = `${a}, ${b}`;
  const expected = [
    ["page", "CoW Swap", "twap", 12.5, true, 3, "1151111081099710", true, both, both],
  ];
  assertEquals(cells(ordersTable([WHOLE]), ...COLUMNS), expected);
  assertEquals(cells(fillsTable([{ order: WHOLE, trades: [tradeOf({})] }]), ...COLUMNS), expected);
  // Of the volume: 10 and 5; the fee on surplus is of something else.
  assertEquals(cells(ordersTable([WHOLE]), "partner_bps"), [[15]]);
});

Deno.test("an order without a document says nothing, and an empty document no hooks", () => {
  const none = COLUMNS.map(() => null);
  const surplus = { surplusBps: 2_000, maxVolumeBps: 100, recipient: A };
  const orders = [null, "no document", {}, { metadata: { partnerFee: surplus } }].map(documented);
  const [without, malformed, empty, ofSurplus] = cells(ordersTable(orders), ...COLUMNS);
  assertEquals([without, malformed], [none, none]);
  assertEquals(empty, [null, null, null, null, null, 0, null, false, null, null]);
  assertEquals(ofSurplus?.at(-1), A.toLowerCase());
  assertEquals(cells(ordersTable(orders), "partner_bps"), [[null], [null], [null], [null]]);
});
