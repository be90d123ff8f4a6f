import type { Competition } from "orderlens";
import { encodeSettlement } from "orderlens/evm";
import { fourInOne, fourOrders } from "../peers/evm/batch.ts";
import type { Protocol } from "../peers/evm/protocol.ts";

/** Orders of a settlement: each expires before those of the one before. */
const LATEST = 2 ** 32 - 100;

/**
 * Settles four orders in each of some transactions, with the protocol's own contracts.
 *
 * @returns Auctions that report them.
 */
export async function settleOnAnvil(protocol: Protocol, count: number): Promise<Competition[]> {
  const auctions: Competition[] = [];
  for (let auctionId = 1; auctionId <= count; auctionId++) {
    const orders = await fourOrders(protocol, LATEST - 4 * auctionId);
    const presigned = orders[3]!;
    await protocol.transact([{
      from: presigned.from,
      to: protocol.at.settlement,
      data: protocol.encode("settlement", "setPreSignature", [presigned.uid, true]),
    }]);
    const txHash = await protocol.settleSigned(encodeSettlement(fourInOne(protocol, orders)));
    auctions.push({
      auctionId,
      auctionStartBlock: 0,
      transactionHashes: [txHash],
      referenceScores: {},
      auction: { orders: orders.map(({ uid }) => uid), prices: {} },
      solutions: [],
    });
  }
  return auctions;
}
