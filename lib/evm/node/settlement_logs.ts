import { InputError } from "../../errors/mod.ts";
import { isWhole } from "../../errors/is_whole.ts";
import { checkOptions, type OptionRules, wholeFrom } from "../../errors/option_rules.ts";
import { FIRST_WINDOW, LARGEST_WINDOW } from "./log_windows.ts";
import { nodeOf, type NodeSource } from "./node_source.ts";
import type { SettlementLog } from "./read_settlement_logs.ts";
import { RPC_OPTIONS, type RpcOptions } from "./rpc_options.ts";
import { settlementWindows } from "./settlement_windows.ts";

/** Blocks whose settlements to find, both ends inclusive. */
export interface SettlementRange {
  /** First block. */
  readonly from: number;
  /** Last block, which the node must have. */
  readonly to: number;
  /** The settlement contract. */
  readonly settlementContract: string;
}

/** Options of {@linkcode settlementLogs}. */
export interface SettlementLogsOptions extends RpcOptions {
  /**
   * Number of blocks to ask for at first, from 1 to 100,000. It follows what the node accepts.
   *
   * @default {2_000}
   */
  readonly firstWindow?: number;
}

/** Allowed values of the {@linkcode SettlementLogsOptions}. */
export const SETTLEMENT_LOGS_OPTIONS: OptionRules<SettlementLogsOptions> = {
  ...RPC_OPTIONS,
  firstWindow: wholeFrom(1, LARGEST_WINDOW),
};

const ACTION = "Cannot get settlement logs";

/**
 * Finds the settlements of a range of blocks by the logs of the settlement contract.
 *
 * Calls `eth_getLogs` for windows of blocks that adapt to the node: a window that it refuses, for its
 * length, its logs, its bytes or its time, is halved, or becomes as long as the error proposes; what
 * it answers lets the next one grow. Each request also asks for the last block of its window, so that
 * a node that is behind is noticed. The last 64 blocks of the chain are read until two answers are
 * the same; they may still be replaced later.
 *
 * Every log must be one that was asked for, in order, once, of one hash per block. Each window is
 * read once more in parts: a node that leaves out the first or the last logs of an answer, at
 * whatever number, is noticed, and those windows are read in halves. No query can show that a node
 * leaves out the same log of every answer.
 *
 * @param source A node of the network, or an equivalent: its URL, a sandbox, a recording. Keys in a
 * URL are never shown.
 * @param range Blocks, and the settlement contract.
 * @param options Options of requests, and `firstWindow`.
 * @returns One item per settlement, in the order of the chain.
 * @throws {InputError} If the range, `source` or an option is invalid, or the node does not have the
 * last block of a window.
 * @throws {MismatchError} If logs are not those asked for, contradict each other, or change at each
 * reading.
 * @throws {ServiceError} If the node returns an error for a single block, or does not have its logs.
 * @throws {NetworkError} If the node cannot be reached.
 * @throws {TimeoutError} If it times out.
 * @throws {HttpError} If it returns an invalid answer, or refuses.
 * @see {@link https://ethereum.org/en/developers/docs/apis/json-rpc/#eth_getlogs | eth_getLogs}
 *
 * @example The settlements of a recording
 * ```ts
 * import { settlementLogs } from "orderlens/evm";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const tape = await replay("market_3");
 * const { settlementContract } = tape.deployment!;
 *
 * const logs = await Array.fromAsync(settlementLogs(tape, { from: 0, to: 969, settlementContract }));
 *
 * assertEquals(logs.length, 138);
 * ```
 */
export async function* settlementLogs(
  source: NodeSource,
  range: SettlementRange,
  options: SettlementLogsOptions = {},
): AsyncGenerator<SettlementLog, void, undefined> {
  for await (const { logs } of openSettlementWindows(source, range, options)) yield* logs;
}

/** The same window by window. */
export function openSettlementWindows(
  source: NodeSource,
  range: SettlementRange,
  options: SettlementLogsOptions,
): ReturnType<typeof settlementWindows> {
  checkOptions(options, SETTLEMENT_LOGS_OPTIONS, ACTION);
  const { from, to, settlementContract } = Object(range) as SettlementRange;
  if (!isWhole(from, 0) || !isWhole(to, from)) {
    throw new InputError(`${ACTION}: the blocks are not a range`, {
      facts: { from: String(from).slice(0, 80), to: String(to).slice(0, 80) },
      remedy: "Pass whole numbers of at least 0, the lower one as `from`",
    });
  }
  if (typeof settlementContract !== "string" || !/^0x[0-9a-fA-F]{40}$/.test(settlementContract)) {
    throw new InputError(`${ACTION}: the settlement contract is not an address`, {
      remedy: "Pass 0x and 40 hex digits, such as the `settlementContract` of an order book",
    });
  }
  const { firstWindow = FIRST_WINDOW, ...sending } = options;
  const ask = nodeOf(source, "settlement logs", sending);
  const contract = settlementContract.toLowerCase();
  return settlementWindows(ask, { from, to, settlementContract: contract }, firstWindow);
}
