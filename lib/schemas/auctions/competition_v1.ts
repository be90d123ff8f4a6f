import { z } from "zod";
import { atoms } from "../codec/atoms.ts";
import { type CompetitionAuction, competitionAuction } from "./competition.ts";
import { amountsByToken } from "./competition.ts";
import { decode, type DecodeOptions } from "../codec/decode.ts";
import { encode } from "../codec/encode.ts";
import { address, bytes, hash32, orderUid } from "../codec/hex.ts";
import { boolean, double, integer, text } from "../codec/scalars.ts";

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
  /** Whether it won. */
  isWinner?: boolean;
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
  solver: text,
  solverAddress: z.exactOptional(address),
  objective: z.exactOptional(z.looseObject({
    total: double,
    surplus: double,
    fees: double,
    cost: double,
    gas: double,
  })),
  score: z.exactOptional(z.nullable(atoms)),
  scoreDiscounted: z.exactOptional(atoms),
  scoreProtocolWithSolverRisk: z.exactOptional(atoms),
  ranking: z.exactOptional(integer),
  clearingPrices: amountsByToken,
  orders: z.array(z.looseObject({
    id: orderUid,
    executedAmount: z.exactOptional(atoms),
    sellAmount: z.exactOptional(atoms),
    buyAmount: z.exactOptional(atoms),
  })),
  isWinner: z.exactOptional(boolean),
  callData: z.exactOptional(z.nullable(bytes)),
  uninternalizedCallData: z.exactOptional(z.nullable(bytes)),
});

/** Schema of {@linkcode CompetitionV1}. */
export const competitionV1: z.ZodType<CompetitionV1> = z.looseObject({
  auctionId: z.exactOptional(integer),
  transactionHash: z.exactOptional(z.nullable(hash32)),
  transactionHashes: z.exactOptional(z.array(hash32)),
  gasPrice: z.exactOptional(double),
  auctionStartBlock: integer,
  liquidityCollectedBlock: z.exactOptional(integer),
  competitionSimulationBlock: z.exactOptional(integer),
  auction: competitionAuction,
  solutions: z.array(solutionV1),
});

/**
 * Decodes one auction of the removed `v1/solver_competition`.
 *
 * @throws {DecodeError} If the body is not such a competition.
 */
export function decodeCompetitionV1(body: unknown, options: DecodeOptions = {}): CompetitionV1 {
  return decode(competitionV1, body, "a v1 solver competition", options);
}

/**
 * Writes an old competition in its wire format; the inverse of {@linkcode decodeCompetitionV1}.
 *
 * @throws {InputError} If the record is not a complete competition.
 */
export function encodeCompetitionV1(record: CompetitionV1): unknown {
  return encode(competitionV1, record, "a v1 solver competition");
}
