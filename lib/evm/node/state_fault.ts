import { hideSecrets } from "../../errors/secrets.ts";
import type { RpcAnswer } from "./json_rpc.ts";
import { RPC_CODES } from "./rpc_error.ts";

/** An error that a node returns for a call. */
type NodeError = Extract<RpcAnswer, { readonly error: unknown }>["error"];

/** What the error of a call at a block means. */
export type StateFault = "state_not_kept" | "calls_not_served" | "reverted";

/** "Method not supported" of EIP-1474. */
const UNSUPPORTED = -32004;
/** Code of OpenEthereum and Nethermind for a call that fails. */
const FAILED_CALL = -32015;
/** The status of HTTP for too many requests, which some nodes use as a code. */
const TOO_MANY_REQUESTS = 429;
const MOST_SHOWN = 200;

const REVERTED =
  /\brevert|invalid (?:opcode|jump)|bad (?:jump|instruction)|out of gas|stack (?:under|over)flow|vm (?:execution|exception)|evm (?:error|exception)/i;
/**
 * How nodes say that they do not keep a state: geth, Erigon, Nethermind, Besu, Reth, Anvil, and
 * providers in front of them, which ask for another plan.
 */
const NOT_KEPT = new RegExp(
  [
    "missing trie node",
    "historical state",
    "header not found",
    "unknown block",
    "block not found",
    "prun(?:ed|ing)",
    "archiv",
    "not kept",
    "proof window",
    "blockoutofrange",
    "block (?:height )?(?:is )?out of range",
    "no state (?:is )?(?:available|found)",
    "(?:world ?)?state .{0,80}(?:not available|unavailable|not found|does not exist)",
    "world ?state unavailable",
    "old data not available",
    "history (?:is )?not available",
  ].join("|"),
  "i",
);
const NOT_SERVED =
  /not recorded|method .{0,60}(?:not (?:found|supported|available|allowed|exist)|does not exist|disabled)/i;

/** What the error of a call at a block means; `null` if it may be anything else. */
export function stateFault({ code, message }: NodeError): StateFault | null {
  if (code === RPC_CODES.reverted || code === FAILED_CALL) return "reverted";
  if (code === RPC_CODES.tooMuch || code === TOO_MANY_REQUESTS) return null;
  if (code === RPC_CODES.prunedHistory) return "state_not_kept";
  if (code === RPC_CODES.unknownMethod || code === UNSUPPORTED) return "calls_not_served";
  if (NOT_SERVED.test(message)) return "calls_not_served";
  // What a contract reverts with may be any text, which is not the node's own.
  if (/^\W*(?:execution )?revert/i.test(message)) return "reverted";
  if (NOT_KEPT.test(message)) return "state_not_kept";
  return REVERTED.test(message) ? "reverted" : null;
}

/** What a node says, on one short line. */
export function saidBy({ code, message }: NodeError): string {
  const words = hideSecrets(message).replace(/[\p{Cc}\s]+/gu, " ").trim();
  const short = words.length > MOST_SHOWN ? `${words.slice(0, MOST_SHOWN)}…` : words;
  return `${short} (${code})`;
}
