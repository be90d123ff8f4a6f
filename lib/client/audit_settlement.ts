import { checkOptions, type OptionRules, rule } from "../errors/option_rules.ts";
import { InputError, NotFoundError } from "../errors/mod.ts";
import { nodeOf, type NodeSource } from "../evm/node/node_source.ts";
import { settlementCalls } from "../evm/node/settlement_calls.ts";
import { RPC_OPTIONS, type RpcOptions } from "../evm/node/rpc_options.ts";
import {
  COMPARE_OPTIONS,
  type CompareSettlementOptions,
} from "../metrics/settlements/compare_options.ts";
import type { SettlementAudit } from "../metrics/settlements/settlement_audit.ts";
import { CHAIN_ID_CALL, chainIdIn, knownFacts } from "./chain_facts.ts";
import { OrderBook } from "./order_book.ts";
import { tradesOf } from "./trades_of.ts";

/** What a settlement is compared with, and options of requests to the node. */
export interface AuditSettlementOptions extends CompareSettlementOptions, RpcOptions {
  /** Deployment whose reports are fetched where they are not passed. */
  readonly book?: OrderBook;
}

const OPTIONS: OptionRules<AuditSettlementOptions> = {
  ...RPC_OPTIONS,
  ...COMPARE_OPTIONS,
  book: rule("an order book from `connect`", (value) => value instanceof OrderBook),
};

const ACTION = "Cannot audit a settlement";

/**
 * Audits a settlement: fetches it from a node, and compares it with what was reported.
 *
 * The node's answers are checked against each other: the hash of the transaction's bytes where the
 * node reports them, blocks, and the logs that the calldata emits. `compareSettlement` says what is
 * compared; pass the reports, or a `book` that fetches the competition, the orders and their fills.
 *
 * @param source A node of the settlement's network, or what answers like one: its URL, a sandbox, a
 * recording. Keys in a URL are never shown.
 * @param txHash Hash of the transaction.
 * @param options Reports or `book`; options of requests to the node.
 * @returns Trades with exact fees, token imbalances of the settlement contract, gas and differences.
 * @throws {InputError} If the hash, `source` or an option is invalid; if the node does not have the
 * transaction, or it does not call `settle` of a settlement contract directly.
 * @throws {MismatchError} If the node's answers contradict the hash, the calldata or each other.
 * @throws {NetworkError} If the node cannot be reached.
 * @throws {TimeoutError} If it times out.
 * @throws {HttpError} If it returns an invalid answer, or an error.
 *
 * @example A settlement of a sandbox
 * ```ts
 * import { auditSettlement, connect } from "orderlens";
 * import { openSandbox } from "orderlens/sandbox";
 * import { assertEquals } from "@std/assert";
 *
 * const sandbox = await openSandbox({ seed: 7, auctions: 20 });
 * const book = connect(sandbox);
 * const found = await Array.fromAsync(book.competitions({ last: 20 }));
 * const [txHash] = found.flatMap(({ competition }) => competition?.transactionHashes ?? []);
 *
 * const audit = await auditSettlement(sandbox, txHash!, { book });
 *
 * assertEquals(audit.differences, []);
 * ```
 */
export async function auditSettlement(
  source: NodeSource,
  txHash: string,
  options: AuditSettlementOptions = {},
): Promise<SettlementAudit> {
  checkOptions(options, OPTIONS, ACTION);
  const wanted = `settlement ${String(txHash).slice(0, 80)}`;
  if (!/^0x[0-9a-fA-F]{64}$/.test(txHash)) {
    throw new InputError(`${ACTION}: not a transaction hash`, {
      facts: { found: String(txHash).slice(0, 80) },
      remedy: "Pass 0x and 64 hex digits",
    });
  }
  const hash = txHash.toLowerCase();
  const { book, reports, sending } = parted(options);
  const ask = nodeOf(source, wanted, sending);
  const [transaction, receipt, chain] = await ask([...settlementCalls(hash), CHAIN_ID_CALL]);
  // Decoding calldata takes viem, which nothing else here needs.
  const [{ readSettlement }, { compareSettlement }] = await Promise.all([
    import("../evm/node/read_settlement.ts"),
    import("../metrics/settlements/settlement_audit.ts"),
  ]);
  const settlement = readSettlement(hash, [transaction, receipt], wanted);
  const chainId = chainIdIn(chain);
  return compareSettlement(settlement, {
    ...knownFacts(source, book),
    ...chainId === undefined ? {} : { chainId },
    ...book === undefined
      ? {}
      : await fetchReports(book, hash, { ...reports, ...signalOf(options) }),
    ...reports,
  });
}

/** Parts the options of requests to a node from the reports to compare with. */
export function parted<Options extends AuditSettlementOptions>(
  options: Options,
): { book: OrderBook | undefined; reports: CompareSettlementOptions; sending: RpcOptions } {
  const reports: Record<string, unknown> = {};
  const sending: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || name === "book") continue;
    (Object.hasOwn(COMPARE_OPTIONS, name) ? reports : sending)[name] = value;
  }
  return { book: options.book, reports, sending };
}

function signalOf({ signal }: RpcOptions): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

/** Fetches the reports that were not passed. */
async function fetchReports(
  book: OrderBook,
  txHash: string,
  { competition, trades, orders, signal }: CompareSettlementOptions & { signal?: AbortSignal },
): Promise<CompareSettlementOptions> {
  const options = signal === undefined ? {} : { signal };
  const [auction, settled] = await Promise.all([
    competition ?? book.competition(txHash, options).catch(nullIfNotFound),
    book.transactionOrders(txHash, options),
  ]);
  const fills = trades ??
    (await Promise.all(settled.map(({ uid }) => tradesOf(book, uid, options)))).flat();
  return { competition: auction, trades: fills, orders: orders ?? settled };
}

function nullIfNotFound(error: unknown): null {
  if (error instanceof NotFoundError) return null;
  throw error;
}
