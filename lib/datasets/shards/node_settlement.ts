import { HttpError, InputError, MismatchError, OrderlensError } from "../../errors/mod.ts";
import { hideSecrets } from "../../errors/secrets.ts";
import type { OnchainSettlement } from "../../evm/mod.ts";
import type { RpcAnswer } from "../../evm/node/rpc_batches.ts";
import type { RecordedSettlement } from "../../recordings/recording.ts";
import { sameHex } from "../../units/mod.ts";

/** The answers of a node about one settlement, as they are kept. */
export interface SettlementResponses {
  /** Hash of the transaction, in lower case. */
  readonly txHash: string;
  /** The transaction; `undefined` if it is not kept. */
  readonly transaction: unknown;
  /** Its receipt; `undefined` if it is not kept. */
  readonly receipt: unknown;
}

/** Adds what a node answered about a settlement to what is known of it. */
export function addResponse(
  kept: Map<string, SettlementResponses>,
  { txHash, of, result }: RecordedSettlement,
): void {
  const known = kept.get(txHash) ?? { txHash, transaction: null, receipt: null };
  kept.set(txHash, { ...known, [of]: result });
}

/** What the answers of a node about one settlement came to. */
type ParsedSettlement =
  /** They are about a settlement. */
  | { readonly is: "settlement"; readonly settlement: OnchainSettlement }
  /**
   * They are about a transaction that does not settle by itself but calls another contract; the node
   * does not have it, or returns an error; what it returned contradicts itself, or cannot be read.
   */
  | { readonly is: "other" | "missing" | "unusable"; readonly why: string };

/** Reads the answers of a node about a transaction. */
type SettlementReader = (
  txHash: string,
  answers: readonly [transaction: RpcAnswer, receipt: RpcAnswer],
) => ParsedSettlement;

const MAX_REASON_CHARS = 200;

/** What reads answers about settlements of a contract; decoding calldata loads what it needs. */
export async function createSettlementReader(
  settlementContract: string,
): Promise<SettlementReader> {
  const { readSettlement } = await import("../../evm/node/read_settlement.ts");
  return (txHash, answers) => {
    const missing = findMissing(answers);
    if (missing !== null) return { is: "missing", why: missing };
    try {
      const settlement = readSettlement(
        txHash,
        answers,
        `settlement ${txHash}`,
        settlementContract,
      );
      if (sameHex(settlement.to, settlementContract)) return { is: "settlement", settlement };
      const why = `It calls ${settlement.to}, which is not the settlement contract`;
      return { is: "other", why };
    } catch (error) {
      if (!(error instanceof OrderlensError)) throw error;
      return error instanceof InputError
        ? { is: "other", why: "It does not call the settlement contract" }
        : { is: "unusable", why: formatReason(error) };
    }
  };
}

/** Why there is nothing to read; `null` if there is. */
function findMissing(answers: readonly [RpcAnswer, RpcAnswer]): string | null {
  for (const [place, answer] of answers.entries()) {
    const what = place === 0 ? "the transaction" : "a receipt of it";
    if ("error" in answer) {
      const { code, message } = answer.error;
      return toOneLine(`The node returned an error instead of ${what}: ${code} ${message}`);
    }
    if (typeof answer.result !== "object" || answer.result === null) {
      return `The node does not have ${what}`;
    }
  }
  return null;
}

function formatReason(error: OrderlensError): string {
  if (error instanceof MismatchError) {
    const { request, field, asked, answered } = error;
    return toOneLine(
      `The answers contradict each other: ${field} of ${request} is ${answered}, not ${asked}`,
    );
  }
  if (error instanceof HttpError) return toOneLine(error.message.split("\n")[0] ?? "");
  return toOneLine(error.message);
}

function toOneLine(text: string): string {
  return hideSecrets(text.replaceAll(/\s+/g, " ")).slice(0, MAX_REASON_CHARS);
}
