import { InputError } from "orderlens";
import {
  decodeSettlement,
  decodeSettlementEvents,
  orderDomain,
  type SettlementTrade,
  tradeOrderUid,
} from "orderlens/evm";
import { assert, assertEquals, assertRejects } from "@std/assert";
import mainnet from "../../testdata/evm/settlements.json" with { type: "json" };
import { type Chain, unpack } from "../../metrics/recorded_run.ts";

const MAINNET = orderDomain({
  chainId: 1,
  settlementContract: "0x9008D19f58AAbD9eD0D60971565AA8510560ab41",
});

Deno.test("tradeOrderUid() returns the UIDs of real mainnet settlements", async () => {
  for (const { calldata, trades } of mainnet) {
    const settlement = decodeSettlement(calldata);
    const uids = await Promise.all(settlement.trades.map((one) => tradeOrderUid(MAINNET, one)));
    assertEquals(uids, trades.map((trade) => trade.uid));
  }
});

Deno.test("tradeOrderUid() returns the UIDs of the Trade events, for every signing scheme", async () => {
  const chain: Chain = JSON.parse(await unpack("market_1.chain.json.gz"));
  const traded = Map.groupBy(
    decodeSettlementEvents(chain.logs).filter((event) => event.event === "Trade"),
    (event) => event.transactionHash,
  );
  const domain = orderDomain({
    chainId: 1,
    settlementContract: chain.logs[0]?.address ?? "",
  });
  const schemes = new Map<string, number>();
  for (const [hash, { input }] of Object.entries(chain.settlements)) {
    for (const [at, trade] of decodeSettlement(input).trades.entries()) {
      const seen = (schemes.get(trade.signingScheme) ?? 0) + 1;
      schemes.set(trade.signingScheme, seen);
      // Recovering a signer takes a few milliseconds: ten of each way are enough.
      if (seen > 10) continue;
      assertEquals(await tradeOrderUid(domain, trade), traded.get(hash)?.[at]?.orderUid);
    }
  }
  assertEquals([...schemes.keys()].toSorted(), ["eip1271", "eip712", "ethsign", "presign"]);
});

Deno.test("tradeOrderUid() rejects a signature that names no owner", async () => {
  const trade = decodeSettlement(mainnet[0]?.calldata ?? "").trades[0];
  assert(trade !== undefined);
  const nameless: SettlementTrade = { ...trade, signingScheme: "presign", signature: "0x1234" };
  await assertRejects(
    () => tradeOrderUid(MAINNET, nameless),
    InputError,
    "Cannot read the owner from a signature of scheme presign",
  );
});
