import type { ChainProof } from "../../datasets/mod.ts";
import { aligned, counted, grouped } from "../terminal/in_words.ts";

const MOST_SHOWN = 3;

/**
 * Whether a node answered for all settlements, and nothing differs from the chain. A settlement after
 * its deadline is what its solver did: the dataset has both blocks as they are.
 */
export function isProved(proof: ChainProof | null): boolean {
  return proof === null ||
    proof.changed.length === 0 && proof.differences.every(({ kind }) => kind === "late");
}

/** What a node proves of a dataset, for people: what it answers otherwise, and what differs. */
export function chainLines(proof: ChainProof): string[] {
  const { settlements, kept, agreeing, changed, notAudited, trades, rows, differences } = proof;
  const reasons = Object.entries(notAudited);
  return [
    "On the chain",
    ...aligned([
      ["settlements", `${grouped(settlements)} asked for, ${grouped(kept)} kept`],
      ["answers", `${grouped(agreeing)} equal to the kept ones, ${grouped(changed.length)} not`],
      ["compared", `${counted(trades, "trade")}, ${counted(rows, "row")} of tables`],
      ...reasons.map(([why, count]) => ["not audited", `${grouped(count)}: ${why}`] as const),
    ]),
    ...changed.map(({ txHash, what, detail }) => `  ${what}: ${txHash}: ${detail}`),
    ...differences.flatMap(({ kind, count, first }) => [
      `  ${kind}: ${counted(count, "difference")}`,
      ...first.slice(0, MOST_SHOWN).flatMap(({ txHash, orderUid, onChain, reported }) => [
        `    ${txHash}${orderUid === null ? "" : `, order ${orderUid}`}`,
        `      chain ${onChain}, reported ${reported}`,
      ]),
    ]),
    ...differences.length === 0 && changed.length === 0 ? ["  nothing differs from the chain"] : [],
  ];
}
