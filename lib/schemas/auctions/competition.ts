import { z } from "zod";
import { atoms } from "../codec/atoms.ts";
import { decode, type DecodeOptions } from "../codec/decode.ts";
import { encode } from "../codec/encode.ts";
import { address, hash32, orderUid } from "../codec/hex.ts";
import { boolean, integer } from "../codec/scalars.ts";

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
  /** Uniform clearing prices by token; empty in current answers. */
  clearingPrices: Readonly<Record<string, bigint>>;
  /** Executions; orders of unknown tokens are missing. */
  orders: readonly SolutionOrder[];
  /** Whether it won the right to settle. */
  isWinner: boolean;
  /** Whether it was filtered out as unfair to one of its token pairs. */
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
  /** Last block in which a winner may settle. */
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
export const amountsByToken: z.ZodType<Record<string, bigint>> = z.record(address, atoms);

const solutionOrder: z.ZodType<SolutionOrder> = z.looseObject({
  id: orderUid,
  sellAmount: atoms,
  buyAmount: atoms,
  buyToken: z.exactOptional(address),
  sellToken: z.exactOptional(address),
});

const solution: z.ZodType<Solution> = z.looseObject({
  solverAddress: address,
  score: atoms,
  ranking: integer,
  clearingPrices: amountsByToken,
  orders: z.array(solutionOrder),
  isWinner: boolean,
  filteredOut: boolean,
  txHash: z.exactOptional(z.nullable(hash32)),
  referenceScore: z.exactOptional(z.nullable(atoms)),
});

/** Schema of {@linkcode CompetitionAuction}. */
export const competitionAuction: z.ZodType<CompetitionAuction> = z.looseObject({
  orders: z.array(orderUid),
  prices: amountsByToken,
});

/** Schema of {@linkcode Competition}. */
export const competition: z.ZodType<Competition> = z.looseObject({
  auctionId: integer,
  auctionStartBlock: integer,
  auctionDeadlineBlock: z.exactOptional(integer),
  transactionHashes: z.array(hash32),
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
export function decodeCompetition(body: unknown, options: DecodeOptions = {}): Competition {
  return decode(competition, body, "a solver competition", options);
}

/**
 * Writes a competition in its wire format; the inverse of {@linkcode decodeCompetition}.
 *
 * @throws {InputError} If the record is not a complete competition.
 */
export function encodeCompetition(record: Competition): unknown {
  return encode(competition, record, "a solver competition");
}
