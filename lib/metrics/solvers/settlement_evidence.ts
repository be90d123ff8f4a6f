import type { DebugReport, SettlementAttempt, Solution, Trade } from "../../schemas/mod.ts";
import { HexMap, sameHex } from "../../units/mod.ts";

/** Records that contain blocks and attempts of settlements. */
export interface EvidenceSources {
  /** Trades of settlements. */
  readonly trades?: Iterable<Trade>;
  /** Debug reports of orders. */
  readonly debugReports?: Iterable<DebugReport>;
}

/** Blocks of settlement transactions, and the settlement attempts of each auction. */
export class SettlementEvidence {
  readonly #blocks = new HexMap<number>();
  readonly #attempts = new Map<number, readonly SettlementAttempt[]>();

  /** Reads all records. Many reports repeat the attempts of an auction: the longest list counts. */
  constructor({ trades = [], debugReports = [] }: EvidenceSources) {
    for (const trade of trades) this.#addBlock(trade.txHash, trade.blockNumber);
    for (const { trades, auctions } of debugReports) {
      for (const trade of trades) this.#addBlock(trade.txHash, trade.blockNumber);
      for (const { id, settlementAttempts } of auctions) {
        const known = this.#attempts.get(id);
        if (known === undefined || known.length < settlementAttempts.length) {
          this.#attempts.set(id, settlementAttempts);
        }
      }
    }
  }

  /** The block of a transaction, if one of its trades is known. */
  blockOf(txHash: string): number | null {
    return this.#blocks.get(txHash) ?? null;
  }

  /** The attempts to settle one winning solution of an auction. */
  attemptsOf(auctionId: number, winner: Solution): readonly SettlementAttempt[] {
    return (this.#attempts.get(auctionId) ?? []).filter(({ solutionUid, solver }) =>
      solutionUid === winner.ranking - 1 && sameHex(solver, winner.solverAddress)
    );
  }

  #addBlock(txHash: string | null | undefined, block: number): void {
    if (txHash != null) this.#blocks.set(txHash, block);
  }
}
