import { connect, gatherOrders } from "orderlens";
import { AuctionTimes } from "orderlens/metrics";
import { replay } from "orderlens/recordings";

const book = connect(await replay("market_1")); // or connect("mainnet"), then `last: 20` below
const walked = await Array.fromAsync(book.competitions({ last: 1_020 }));
export const competitions = walked.flatMap(({ competition }) => competition ?? []);
const uids = competitions.flatMap(({ auction }) => auction.orders);
export const { records } = await gatherOrders(book, uids);
export const orders = records.map(({ order }) => order);
export const debugReports = records.flatMap(({ debugReport }) => debugReport ?? []);
export const times = new AuctionTimes(competitions, { orders });
