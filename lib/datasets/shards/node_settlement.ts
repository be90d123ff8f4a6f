import { HttpError, InputError, MismatchError, OrderlensError } from "../../errors/mod.ts";
import { hideSecrets } from "../../errors/secrets.ts";
import type { OnchainSettlement } from "../../evm/mod.ts";
import { CALLS_PER_REQUEST, type RpcAnswer } from "../../evm/node/rpc_batches.ts";
import type { RecordedSettlement } from "../../recordings/recording.ts";
import { sameHex } from "../../units/mod.ts";

/** Stored responses of a node about one settlement. */
export interface SettlementResponses {
  /** Hash of the transaction, in lower case. */
  readonly txHash: string;
  /** The transaction; `undefined` if not stored. */
  readonly transaction: unknown;
  /** Its receipt; `undefined` if not stored. */
  readonly receipt: unknown;
}

/** Adds a node's response to those of its settlement. */
export function addResponse(
  responses: Map<string, SettlementResponses>,
  { txHash, of, result }: RecordedSettlement,
): void {
  const earlier = responses.get(txHash) ?? { txHash, transaction: null, receipt: null };
  responses.set(txHash, { ...earlier, [of]: result });
}

type ParsedSettlement =
  /** A settlement. */
  | { readonly is: "settlement"; readonly settlement: OnchainSettlement }
  /**
   * A transaction that does not settle by itself but calls another contract; one that the node does
   * not have, or returns an error for; responses that contradict each other, or cannot be read.
   */
  | { readonly is: "other" | "missing" | "unusable"; readonly why: string };

/** Parses the responses of a node about a transaction. */
type SettlementReader = (
  txHash: string,
  answers: readonly [transaction: RpcAnswer, receipt: RpcAnswer],
) => ParsedSettlement;

/** Settlements per request to a node, which has two calls for each. */
export const SETTLEMENTS_PER_REQUEST = CALLS_PER_REQUEST / 2;

const MAX_REASON_CHARS = 200;

/** Creates a parser of responses about settlements of a contract; loads the calldata decoder. */
export async function createReader(settlementContract: string): Promise<SettlementReader> {
  const { readSettlement } = await import("../../evm/node/read_settlement.ts");
  return (txHash, responses) => {
    const reason = findMissing(responses);
    if (reason !== null) return { is: "missing", why: reason };
    try {
      const settlement = readSettlement(
        txHash,
        responses,
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

/** Returns why there is nothing to parse; `null` if there is. */
function findMissing(responses: readonly [RpcAnswer, RpcAnswer]): string | null {
  for (const [index, response] of responses.entries()) {
    const thing = index === 0 ? "the transaction" : "a receipt of it";
    if ("error" in response) {
      const { code, message } = response.error;
      return toOneLine(`The node returned an error instead of ${thing}: ${code} ${message}`);
    }
    if (typeof response.result !== "object" || response.result === null) {
      return `The node does not have ${thing}`;
    }
  }
  return null;
}

function formatReason(error: OrderlensError): string {
  if (error instanceof MismatchError) {
    const { request, field, asked, answered } = error;
    return toOneLine(
      `The responses contradict each other: ${field} of ${request} is ${answered}, not ${asked}`,
    );
  }
  if (error instanceof HttpError) return toOneLine(error.message.split("\n")[0] ?? "");
  return toOneLine(error.message);
}

function toOneLine(text: string): string {
  return hideSecrets(text.replaceAll(/\s+/g, " ")).slice(0, MAX_REASON_CHARS);
}
