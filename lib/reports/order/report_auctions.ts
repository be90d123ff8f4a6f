import type { OrderBook } from "../../client/order_book.ts";
import { agreedSolverName } from "../../networks/solvers.ts";
import { isNotComputable, leftOnTheTable, surplusBpsOfLimit } from "../../metrics/mod.ts";
import type { Order } from "../../schemas/mod.ts";
import { HexMap, ratioToNumber } from "../../units/mod.ts";
import type { AuctionEvidence, AuctionOutcome } from "./judge_auction.ts";
import type { ReportedAuction, ReportedBid } from "./order_report.ts";

/** Finds the name of a solver; `null` where it is unknown. */
export type NameOf = (address: string) => string | null;

/** Names of solvers: those that are passed, then those of a recorded deployment, then those that ship. */
export function namesOf(
  solvers: ReadonlyMap<string, string> | undefined,
  { network, transport }: OrderBook,
): NameOf {
  const own = new HexMap(solvers ?? []);
  const deployed = new HexMap(deployedNames(transport));
  return (address) =>
    own.get(address) ?? deployed.get(address) ?? agreedSolverName(address, network?.name);
}

function deployedNames(transport: object): [string, string][] {
  const deployment: unknown = "deployment" in transport ? transport.deployment : undefined;
  const solvers: unknown = Object(deployment).solvers;
  return (Array.isArray(solvers) ? solvers : []).flatMap((solver: unknown) => {
    const { address, name } = Object(solver);
    return typeof address === "string" && typeof name === "string" ? [[address, name]] : [];
  });
}

/** The auctions of a report, each with its outcome and bids. */
export function reportAuctions(
  auctions: readonly AuctionEvidence[],
  outcomes: readonly AuctionOutcome[],
  { order, nameOf }: { readonly order: Order; readonly nameOf: NameOf },
): ReportedAuction[] {
  return auctions.map((auction, index) => ({
    auctionId: auction.auctionId,
    block: auction.block,
    deadlineBlock: auction.deadlineBlock,
    outcome: outcomes[index]!,
    role: auction.role,
    bids: auction.bids.map((bid) => reportBid(bid, auction, { order, nameOf })),
    attempts: auction.attempts,
  }));
}

function reportBid(
  bid: AuctionEvidence["bids"][number],
  { bids }: AuctionEvidence,
  { order, nameOf }: { readonly order: Order; readonly nameOf: NameOf },
): ReportedBid {
  const over = surplusBpsOfLimit(bid, order);
  const winner = bids.find(({ isWinner }) => isWinner);
  return {
    ...bid,
    solverName: nameOf(bid.solver),
    overLimitBps: isNotComputable(over) ? null : ratioToNumber(over),
    behindWinnerAtoms: winner === undefined ? null : behind(bid, winner, order),
  };
}

/** What the price of the winner gives more than a bid, for the amounts of the bid. */
function behind(
  bid: AuctionEvidence["bids"][number],
  winner: AuctionEvidence["bids"][number],
  order: Order,
): bigint {
  if (bid === winner) return 0n;
  const priced = { auctionId: bid.auctionId, bids: [{ ...winner, isWinner: false }] };
  return leftOnTheTable(bid, order, priced)?.atoms ?? 0n;
}
