import { assert, assertEquals } from "@std/assert";
import {
  decodeAuction,
  decodeCompetition,
  decodeDebugReport,
  decodeNotification,
  decodeOrder,
  decodeOrderStatus,
  decodeQuoteResponse,
  decodeTrade,
  encodeAuction,
  encodeCompetition,
  encodeDebugReport,
  encodeNotification,
  encodeOrder,
  encodeOrderStatus,
  encodeQuoteResponse,
  encodeTrade,
} from "../../../lib/mod.ts";
import { openSandbox } from "../../../lib/sandbox/mod.ts";

const AUCTIONS = 80;

Deno.test("every record that a sandbox serves is decoded and encoded to what was served", async () => {
  const sandbox = await openSandbox({ seed: 6, auctions: AUCTIONS });
  const { accounts, tokens, auctionId } = sandbox.description;
  let bodies = 0;
  async function served<T>(
    path: string,
    codec: readonly [decode: (body: unknown) => T, encode: (record: T) => unknown],
    init?: RequestInit,
  ): Promise<T[]> {
    const response = await sandbox.fetch(`http://sandbox${path}`, init);
    const body = await response.json();
    if (response.status === 404) return [];
    assertEquals(response.status, 200, path);
    const [decode, encode] = codec;
    return (Array.isArray(body) ? body : [body]).map((each) => {
      const record = decode(each);
      assertEquals(encode(record), each, path);
      bodies++;
      return record;
    });
  }
  for (const account of accounts) {
    const path = `/api/v1/account/${account}/orders?limit=1000`;
    for (const { uid } of await served(path, [decodeOrder, encodeOrder])) {
      await served(`/api/v1/orders/${uid}/status`, [decodeOrderStatus, encodeOrderStatus]);
      await served(`/restricted/api/v1/debug/order/${uid}`, [decodeDebugReport, encodeDebugReport]);
    }
    await served(`/api/v2/trades?owner=${account}&limit=1000`, [decodeTrade, encodeTrade]);
    await served(`/accounts/${account}/notifications`, [decodeNotification, encodeNotification]);
  }
  for (let id = auctionId - AUCTIONS; id <= auctionId; id++) {
    await served(`/api/v2/solver_competition/${id}`, [decodeCompetition, encodeCompetition]);
  }
  await served("/api/v1/auction", [decodeAuction, encodeAuction]);
  const [weth, usdc] = tokens;
  const pair = { sellToken: usdc!.address, buyToken: weth!.address, from: accounts[0] };
  const atoms = String(10n ** 18n);
  for (
    const size of [
      { kind: "sell", sellAmountBeforeFee: atoms },
      { kind: "buy", buyAmountAfterFee: atoms },
    ]
  ) {
    await served("/api/v1/quote", [decodeQuoteResponse, encodeQuoteResponse], {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...pair, ...size }),
    });
  }
  assert(bodies > 10 * AUCTIONS, `${bodies}`);
});
