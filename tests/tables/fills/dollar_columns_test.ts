import { assertEquals } from "@std/assert";
import type { Order } from "orderlens";
import { buildTable, FILLS, type Records } from "orderlens/tables";
import { decodeCompetition } from "orderlens/schemas";
import body from "../../testdata/networks/competition_arbitrum_one_4672122.json" with {
  type: "json",
};
import { orderOf } from "../../metrics/reports.ts";
import { cells, tradeOf } from "../made_up.ts";

const USDC = "0xaf88d065e77c8cc2239327c5edb3a432268e5831";
const USDC_E = "0xff970a61a04b1ca14834a43f5de4533ebddb5cc8";
const USDT = "0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9";
const DAI = "0xda10009cbd5d07dd0cecc66161fc93d7c9000da1";
const SOLD = "0x30a538effd91acefb1b12ce9bc0074ed18c9dfc9";

/** Auction 4672122 of Arbitrum One, as the service sent it, with the prices of its tokens. */
const AUCTION = decodeCompetition(body);
/** The same with its prices of the other dollar tokens. */
const PRICES: Readonly<Record<string, bigint>> = {
  ...AUCTION.auction.prices,
  [USDT]: 224252220756742314336976896n,
  [USDC_E]: 224112622063744465877598208n,
  [DAI]: 224107454863230n,
};
const TX_HASH = "0x3aa9e8507e28a5696b0ad995047443e2385be1c8db318ef5e6434436b4121d07";
const [UID] = AUCTION.solutions.find(({ isWinner }) => isWinner)!.orders.map(({ id }) => id);

/** Its only trade, with a limit and a fee that are made up. */
const TRADE = { sellAmount: 400_000_000_000n, buyAmount: 14_459_695n };

/** Builds the row of a fill of that auction. */
function build(
  prices: Readonly<Record<string, bigint>>,
  { order, ...records }: Partial<Records> & { order?: Partial<Order> } = {},
) {
  const executedProtocolFees = [{
    policy: { volume: { factor: 0.002 } },
    amount: 28_919n,
    token: USDC,
  }];
  const orders = {
    sellToken: SOLD,
    buyToken: USDC,
    sellAmount: 400_000_000_000n,
    buyAmount: 14_000_000n,
  };
  return buildTable(FILLS, {
    records: [{
      order: orderOf({ uid: UID!, ...orders, ...order }),
      trades: [tradeOf({ ...TRADE, orderUid: UID!, txHash: TX_HASH, executedProtocolFees })],
    }],
    competitions: [{ ...AUCTION, auction: { ...AUCTION.auction, prices } }],
    network: "arbitrum_one",
    ...records,
  });
}

const COLUMNS = "volume_usd_atoms volume_usd surplus_usd_atoms surplus_usd fee_usd_atoms fee_usd " +
  "native_usd usd_tokens usd_reason";
const NONE = Array(8).fill(null);

Deno.test("FILLS has the US dollars of a recorded auction, as Python's fractions give them", () => {
  const listed = [USDC, USDT, USDC_E, DAI].join(", ");
  assertEquals(cells(build(PRICES), COLUMNS), [[
    "14514123",
    14.514123246359429,
    "459723",
    0.4597233480424714,
    "28920",
    0.02892078334991729,
    4461.767140667136,
    listed,
    null,
  ]]);
  // A loss is rounded down too: -0.4597233… dollars.
  const loss = build(PRICES, { order: { buyAmount: 14_919_390n } });
  assertEquals(cells(loss, "surplus_usd_atoms surplus_usd"), [["-459724", -0.4597233480424714]]);
  // A caller's own dollar token: 400 whole tokens of 9 decimals were sold.
  const own = build(PRICES, { dollarTokens: [SOLD], decimals: new Map([[SOLD, 9], [USDC, 6]]) });
  assertEquals(cells(own, "volume_usd_atoms usd_tokens"), [["400000000", SOLD]]);
});

Deno.test("FILLS says why a fill has no US dollars, and takes no rate from elsewhere", () => {
  const sold = PRICES[SOLD]!;
  const onlyTokens = { [SOLD]: sold };
  const reasons = [
    build(PRICES, { network: "sepolia" }),
    build(PRICES, { competitions: [] }),
    build(onlyTokens),
    build({ ...onlyTokens, [USDT]: 0n }),
    build({ ...PRICES, [SOLD]: 3n * sold }),
    build({ ...PRICES, [SOLD]: 3_000n * sold }),
  ].map((frame) => cells(frame, COLUMNS)[0]);
  assertEquals(reasons, [
    [...NONE, "no_dollar_token"],
    [...NONE, "no_auction"],
    [...NONE, "no_dollar_price"],
    [...NONE, "no_dollar_price"],
    [...NONE, "suspect_price"],
    [...NONE, "absurd_price"],
  ]);
  // Without a price of what was bought, the volume is that of what was sold, and nothing else is known.
  const unpriced = build({ [SOLD]: sold, [DAI]: PRICES[DAI]! });
  assertEquals(
    cells(unpriced, "volume_usd_atoms surplus_usd fee_usd usd_tokens usd_reason"),
    [["14515353", null, null, DAI, "no_native_price"]],
  );
});
