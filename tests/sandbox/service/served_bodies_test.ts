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
} from "../../../lib/schemas/mod.ts";
import { openSandbox } from "../../../lib/sandbox/mod.ts";

const AUCTIONS = 80;

Deno.test("every record that a sandbox serves survives decoding and encoding", async () => {
  const sandbox = await openSandbox({ seed: 6, auctions: AUCTIONS });
  const { accounts, tokens, auctionId } = sandbox.description;
  const counts = new Map<unknown, number>();
  async function served<T>(
    path: string,
    codec: readonly [decode: (body: unknown) => T, encode: (record: T) => unknown],
    init?: RequestInit,
  ): Promise<T[]> {
    const response = await sandbox.fetch(`http://sandbox${path}`, init);
    const body = await response.json();
    const isGap = response.status === 404 && path.startsWith("/api/v2/solver_competition/");
    if (isGap) return [];
    assertEquals(response.status, 200, path);
    const [decode, encode] = codec;
    return (Array.isArray(body) ? body : [body]).map((each) => {
      const record = decode(each);
      assertEquals(encode(record), each, path);
      counts.set(decode, (counts.get(decode) ?? 0) + 1);
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
  assertEquals([counts.get(decodeQuoteResponse), counts.get(decodeAuction)], [2, 1]);
  assert(counts.get(decodeCompetition)! > AUCTIONS / 2);
  for (
    const decode of [
      decodeOrder,
      decodeOrderStatus,
      decodeDebugReport,
      decodeTrade,
      decodeNotification,
    ]
  ) assert(counts.get(decode)! > AUCTIONS, decode.name);
});
