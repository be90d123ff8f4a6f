import { z } from "zod";
import { type Decode, type Encode, toDecoder, toEncoder } from "./codec/codec.ts";
import * as wire from "./codec/scalars.ts";
import { sentSince } from "./codec/sent_since.ts";
import {
  type BuyTokenDestination,
  buyTokenDestination,
  type Interaction,
  interaction,
  type OrderClass,
  orderClass,
  type OrderKind,
  orderKind,
  type SellTokenSource,
  sellTokenSource,
  type SigningScheme,
  signingScheme,
} from "./order.ts";
import { type FeePolicy, feePolicy, type PolicyQuote, policyQuote } from "./trade.ts";

/** Orders and prices of an auction. */
export interface CompetitionAuction {
  /** UIDs of the orders in the auction. */
  orders: readonly string[];
  /** Native price of each token: native atoms per 10^18 token atoms. */
  prices: Readonly<Record<string, bigint>>;
}

/** One order's execution in a solution. */
export interface SolutionOrder {
  /** UID of the order. */
  id: string;
  /** Sold after all fees, in sell-token atoms. */
  sellAmount: bigint;
  /** Bought after all fees, in buy-token atoms. */
  buyAmount: bigint;
  /** Token bought. */
  buyToken?: string;
  /** Token sold. */
  sellToken?: string;
}

/** One solution that a solver proposed. */
export interface Solution {
  /** Address the solver settles from. */
  solverAddress: string;
  /** Surplus and protocol fees of its scored orders, in native atoms. */
  score: bigint;
  /**
   * Rank, from 1: winners by score, then other valid solutions by score, then filtered-out ones.
   */
  ranking: number;
  /** Uniform clearing prices by token; empty in current responses. */
  clearingPrices: Readonly<Record<string, bigint>>;
  /** Executions; orders of unknown tokens are missing. */
  orders: readonly SolutionOrder[];
  /** Whether it won the right to settle. */
  isWinner: boolean;
  /** Whether it was filtered out: as unfair to one of its pairs, or without a score on the fast path. */
  filteredOut: boolean;
  /** Settlement transaction; `null` until indexed; also set for late settlements. */
  txHash?: string | null;
  /** Reference score of the *solver*, in native atoms: on every solution of a solver that won. */
  referenceScore?: bigint | null;
}

/** One auction with its solutions, as reported by `v2/solver_competition`. */
export interface Competition {
  /** Id of the auction; per network and environment. */
  auctionId: number;
  /** Block at which the auction started. */
  auctionStartBlock: number;
  /** Last block in which a winner may settle; absent in responses of 2025. */
  auctionDeadlineBlock?: number;
  /** Settlement transactions, in no particular order. */
  transactionHashes: readonly string[];
  /** Reference score of each winning solver, in native atoms. */
  referenceScores: Readonly<Record<string, bigint>>;
  /** Orders and prices of the auction. */
  auction: CompetitionAuction;
  /** Solutions, worst first. */
  solutions: readonly Solution[];
}

/** Schema of amounts by token address. */
const amountsByToken: z.ZodType<Record<string, bigint>> = z.record(wire.address, wire.atoms);

const solutionOrder: z.ZodType<SolutionOrder> = z.looseObject({
  id: wire.orderUid,
  sellAmount: wire.atoms,
  buyAmount: wire.atoms,
  buyToken: sentSince("2025-09-30", wire.address),
  sellToken: sentSince("2025-09-30", wire.address),
});

const solution: z.ZodType<Solution> = z.looseObject({
  solverAddress: wire.address,
  score: wire.atoms,
  ranking: wire.integer,
  clearingPrices: amountsByToken,
  orders: z.array(solutionOrder),
  isWinner: wire.boolean,
  filteredOut: wire.boolean,
  txHash: sentSince("2025-09-30", z.nullable(wire.hash32)),
  referenceScore: sentSince("2025-09-30", z.nullable(wire.atoms)),
});

const competitionAuction: z.ZodType<CompetitionAuction> = z.looseObject({
  orders: z.array(wire.orderUid),
  prices: amountsByToken,
});

export const competition: z.ZodType<Competition> = z.looseObject({
  auctionId: wire.integer,
  auctionStartBlock: wire.integer,
  auctionDeadlineBlock: sentSince("2026-05-01", wire.integer),
  transactionHashes: z.array(wire.hash32),
  referenceScores: amountsByToken,
  auction: competitionAuction,
  solutions: z.array(solution),
});

/**
 * Decodes one auction of `v2/solver_competition`.
 *
 * @throws {DecodeError} If the body is not such a competition.
 * @example An auction with one solution
 * ```ts
 * import { decodeCompetition, encodeCompetition } from "orderlens/schemas";
 * import { assertEquals } from "@std/assert";
 *
 * const uid = `0x${"ab".repeat(56)}`;
 * const solver = `0x${"50".repeat(20)}`;
 * const body = {
 *   auctionId: 7,
 *   auctionStartBlock: 100,
 *   auctionDeadlineBlock: 110,
 *   transactionHashes: [],
 *   referenceScores: { [solver]: "0" },
 *   auction: { orders: [uid], prices: { [`0x${"bb".repeat(20)}`]: "400000000000000" } },
 *   solutions: [{
 *     solverAddress: solver,
 *     score: "3180409038005161",
 *     ranking: 1,
 *     clearingPrices: {},
 *     orders: [{ id: uid, sellAmount: "1000", buyAmount: "2000" }],
 *     isWinner: true,
 *     filteredOut: false,
 *   }],
 * };
 * const competition = decodeCompetition(body);
 *
 * assertEquals(competition.solutions[0]?.score, 3180409038005161n);
 * assertEquals(encodeCompetition(competition), body);
 * ```
 */
export const decodeCompetition: Decode<Competition> = toDecoder(
  competition,
  "a solver competition",
);

/**
 * Writes a competition in its wire format; the inverse of {@linkcode decodeCompetition}.
 *
 * @throws {InputError} If the record is not a complete competition.
 */
export const encodeCompetition: Encode<Competition> = toEncoder(
  competition,
  "a solver competition",
);

/** One order's execution in an old solution. */
export interface SolutionOrderV1 {
  /** UID of the order. */
  id: string;
  /** Executed amount: sell-token atoms of a sell order, buy-token atoms of a buy order (to 2023). */
  executedAmount?: bigint;
  /** Sold, in sell-token atoms (from 2024). */
  sellAmount?: bigint;
  /** Bought, in buy-token atoms (from 2024). */
  buyAmount?: bigint;
}

/** The objective that ranked solutions until 2023; native atoms as doubles. */
export interface Objective {
  /** `surplus + fees - cost`. */
  total: number;
  /** Surplus, in native atoms. */
  surplus: number;
  /** Fees, in native atoms. */
  fees: number;
  /** Gas cost, in native atoms. */
  cost: number;
  /** Gas, in gas units. */
  gas: number;
}

/** One solution of an old competition. */
export interface SolutionV1 {
  /** Name of the solver. */
  solver: string;
  /** Address the solver settles from. */
  solverAddress?: string;
  /** The objective (to 2023). */
  objective?: Objective;
  /** Score, in native atoms. */
  score?: bigint | null;
  /** Score declared by the solver, in native atoms. */
  scoreDiscounted?: bigint;
  /** Score computed by the protocol from the solver's risk, in native atoms. */
  scoreProtocolWithSolverRisk?: bigint;
  /** Rank, from 1. */
  ranking?: number;
  /** Uniform clearing prices by token. */
  clearingPrices: Readonly<Record<string, bigint>>;
  /** Executions. */
  orders: readonly SolutionOrderV1[];
  /** Whether it won; absent before 2025. */
  isWinner?: boolean;
  /** Whether it was filtered out as unfair to one of its token pairs (from 2025-06 on). */
  filteredOut?: boolean;
  /** Calldata of the settlement. */
  callData?: string | null;
  /** Calldata without internalisation of interactions. */
  uninternalizedCallData?: string | null;
}

/** One auction as `v1/solver_competition` reported it until 2026; for reading old bodies only. */
export interface CompetitionV1 {
  /** Id of the auction; absent in bodies of 2022. */
  auctionId?: number;
  /** Settlement transaction. */
  transactionHash?: string | null;
  /** Settlement transactions, in bodies of the last months. */
  transactionHashes?: readonly string[];
  /** Gas price, in wei. */
  gasPrice?: number;
  /** Block at which the auction started. */
  auctionStartBlock: number;
  /** Block of the liquidity. */
  liquidityCollectedBlock?: number;
  /** Block the solutions were simulated on. */
  competitionSimulationBlock?: number;
  /** Orders and prices. */
  auction: CompetitionAuction;
  /** Solutions, worst first. */
  solutions: readonly SolutionV1[];
}

const solutionV1: z.ZodType<SolutionV1> = z.looseObject({
  solver: wire.text,
  solverAddress: z.exactOptional(wire.address),
  objective: z.exactOptional(z.looseObject({
    total: wire.double,
    surplus: wire.double,
    fees: wire.double,
    cost: wire.double,
    gas: wire.double,
  })),
  score: z.exactOptional(z.nullable(wire.atoms)),
  scoreDiscounted: z.exactOptional(wire.atoms),
  scoreProtocolWithSolverRisk: z.exactOptional(wire.atoms),
  ranking: z.exactOptional(wire.integer),
  clearingPrices: amountsByToken,
  orders: z.array(z.looseObject({
    id: wire.orderUid,
    executedAmount: z.exactOptional(wire.atoms),
    sellAmount: z.exactOptional(wire.atoms),
    buyAmount: z.exactOptional(wire.atoms),
  })),
  isWinner: z.exactOptional(wire.boolean),
  filteredOut: z.exactOptional(wire.boolean),
  callData: z.exactOptional(z.nullable(wire.bytes)),
  uninternalizedCallData: z.exactOptional(z.nullable(wire.bytes)),
});

export const competitionV1: z.ZodType<CompetitionV1> = z.looseObject({
  auctionId: z.exactOptional(wire.integer),
  transactionHash: z.exactOptional(z.nullable(wire.hash32)),
  transactionHashes: z.exactOptional(z.array(wire.hash32)),
  gasPrice: z.exactOptional(wire.double),
  auctionStartBlock: wire.integer,
  liquidityCollectedBlock: z.exactOptional(wire.integer),
  competitionSimulationBlock: z.exactOptional(wire.integer),
  auction: competitionAuction,
  solutions: z.array(solutionV1),
});

/**
 * Decodes one auction of the removed `v1/solver_competition`.
 *
 * @throws {DecodeError} If the body is not such a competition.
 */
export const decodeCompetitionV1: Decode<CompetitionV1> = toDecoder(
  competitionV1,
  "a v1 solver competition",
);

/**
 * Writes an old competition in its wire format; the inverse of {@linkcode decodeCompetitionV1}.
 *
 * @throws {InputError} If the record is not a complete competition.
 */
export const encodeCompetitionV1: Encode<CompetitionV1> = toEncoder(
  competitionV1,
  "a v1 solver competition",
);

/** An order's quote in an auction. */
export type AuctionQuote = PolicyQuote;

/**
 * One order as seen by solvers. Bodies from 2023 have the fields of {@linkcode Order} instead of
 * `created`, `executed`, `protocolFees` and the two lists of interactions; those are preserved too.
 */
export interface AuctionOrder {
  /** UID of the order. */
  uid: string;
  /** Token to sell. */
  sellToken: string;
  /** Token to buy. */
  buyToken: string;
  /** Limit amount to sell, in sell-token atoms. */
  sellAmount: bigint;
  /** Limit amount to buy, in buy-token atoms. */
  buyAmount: bigint;
  /** Expiry, in unix seconds. */
  validTo: number;
  /** The amount that is fixed. */
  kind: OrderKind;
  /** Receiver of the buy token; `null` means the owner. */
  receiver: string | null;
  /** Account or contract that signed the order. */
  owner: string;
  /** Whether it may be partially filled. */
  partiallyFillable: boolean;
  /** Source of the sell token. */
  sellTokenBalance: SellTokenSource;
  /** Destination of the buy token. */
  buyTokenBalance: BuyTokenDestination;
  /** Class. */
  class: OrderClass;
  /** Hash of the app data document. */
  appData: string;
  /** Signing scheme. */
  signingScheme?: SigningScheme;
  /** The signature. */
  signature: string;
  /** Time at which the service received the order, in unix seconds. */
  created?: number;
  /** Filled so far: sell-token atoms of a sell order, buy-token atoms of a buy order. */
  executed?: bigint;
  /** Fee policies, in the order they apply. */
  protocolFees?: readonly FeePolicy[];
  /** Contract calls before the trade. */
  preInteractions?: readonly Interaction[];
  /** Contract calls after the trade. */
  postInteractions?: readonly Interaction[];
  /** The quote the order was placed with. */
  quote?: AuctionQuote;
  /** Time at which the service received the order; in bodies from 2023. */
  creationDate?: Temporal.Instant;
  /** Legacy signed fee, in sell-token atoms; in bodies from 2023. */
  feeAmount?: bigint;
  /** Fee the solver was to take, in sell-token atoms; in bodies from 2023. */
  surplusFee?: bigint | null;
  /**
   * Cap on the penalty for winning this order and not settling it, in native atoms; absent or `null`
   * where orders have no caps of their own. In services#4784, not in a release as of 2026-09.
   */
  penaltyCapNative?: bigint | null;
}

/** The current auction, as returned by `GET auction` to permitted callers. */
export interface Auction {
  /** Id of the auction. */
  id?: number;
  /** Block at which the auction started. */
  block: number;
  /** Last block with a settlement; in bodies from 2023. */
  latestSettlementBlock?: number;
  /** Orders eligible for settlement. */
  orders: readonly AuctionOrder[];
  /** Native price of each token: native atoms per 10^18 token atoms. */
  prices: Readonly<Record<string, bigint>>;
  /** Owners whose JIT orders, placed by solvers, capture surplus. */
  surplusCapturingJitOrderOwners?: readonly string[];
  /** Rewards by order, in COW; in bodies from 2023. */
  rewards?: Readonly<Record<string, number>>;
}

const auctionOrder: z.ZodType<AuctionOrder> = z.looseObject({
  uid: wire.orderUid,
  sellToken: wire.address,
  buyToken: wire.address,
  sellAmount: wire.atoms,
  buyAmount: wire.atoms,
  validTo: wire.unixSeconds,
  kind: orderKind,
  receiver: z.nullable(wire.address),
  owner: wire.address,
  partiallyFillable: wire.boolean,
  sellTokenBalance: sellTokenSource,
  buyTokenBalance: buyTokenDestination,
  class: orderClass,
  appData: wire.appDataField,
  signingScheme: z.exactOptional(signingScheme),
  signature: wire.bytes,
  created: z.exactOptional(wire.integer),
  executed: z.exactOptional(wire.atoms),
  protocolFees: z.exactOptional(z.array(feePolicy)),
  preInteractions: z.exactOptional(z.array(interaction)),
  postInteractions: z.exactOptional(z.array(interaction)),
  quote: z.exactOptional(policyQuote),
  creationDate: z.exactOptional(wire.instant),
  feeAmount: z.exactOptional(wire.atoms),
  surplusFee: z.exactOptional(z.nullable(wire.atoms)),
  penaltyCapNative: z.exactOptional(z.nullable(wire.atoms)),
});

export const auction: z.ZodType<Auction> = z.looseObject({
  id: z.exactOptional(wire.integer),
  block: wire.integer,
  latestSettlementBlock: z.exactOptional(wire.integer),
  orders: z.array(auctionOrder),
  prices: amountsByToken,
  surplusCapturingJitOrderOwners: z.exactOptional(z.array(wire.address)),
  rewards: z.exactOptional(z.record(wire.orderUid, wire.double)),
});

/**
 * Decodes the current auction.
 *
 * @throws {DecodeError} If the body is not an auction.
 * @example Prices of an auction without orders
 * ```ts
 * import { decodeAuction } from "orderlens/schemas";
 * import { assertEquals } from "@std/assert";
 *
 * const token = `0x${"bb".repeat(20)}`;
 * const { prices } = decodeAuction({
 *   id: 7,
 *   block: 100,
 *   orders: [],
 *   prices: { [token]: "400000000000000" },
 * });
 *
 * assertEquals(prices[token], 400000000000000n);
 * ```
 */
export const decodeAuction: Decode<Auction> = toDecoder(auction, "an auction");

/**
 * Writes an auction in its wire format; the inverse of {@linkcode decodeAuction}.
 *
 * @throws {InputError} If the record is not a complete auction.
 */
export const encodeAuction: Encode<Auction> = toEncoder(auction, "an auction");
