import { auditRange, connect, gatherOrders } from "orderlens";
import { tokenFacts } from "orderlens/evm";
import { AuctionTimes } from "orderlens/metrics";
import { replay } from "orderlens/recordings";
import { openSandbox } from "orderlens/sandbox";

const recording = await replay("market_1");
const book = connect(recording); // or connect("mainnet"), then `last: 20` below
export const solvers = recording.deployment?.solvers ?? []; // on public networks the library knows them
const walked = await Array.fromAsync(book.competitions({ last: 1_020 }));
export const competitions = walked.flatMap(({ competition }) => competition ?? []);
const uids = competitions.flatMap(({ auction }) => auction.orders);
export const { records } = await gatherOrders(book, uids);
export const orders = records.map(({ order }) => order);
export const trades = records.flatMap(({ trades }) => trades);
export const debugReports = records.flatMap(({ debugReport }) => debugReport ?? []);
export const times = new AuctionTimes(competitions, { orders });

// A node has the logs of all tokens, this recording only those of the settlement contract.
export const node = await openSandbox({ seed: 20, auctions: 60 }); // or the URL of a node
const settled = await Array.fromAsync(connect(node).competitions({ last: 60 }));
export const audited = settled.flatMap(({ competition }) => competition ?? []);
const found = await Array.fromAsync(auditRange(node, audited));
export const audits = found.flatMap(({ audit }) => audit ?? []);
const traded = audits.flatMap(({ uniformPrices }) => [...uniformPrices.keys()]);
const facts = await tokenFacts(node, traded);
export const decimals = (token: string) => facts.get(token)?.decimals;
export const symbols = (token: string) => facts.get(token)?.symbol;
