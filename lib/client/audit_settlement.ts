import { ignoreNotFound, runTogether } from "../endpoints/calls.ts";
import type { CallOptions } from "../endpoints/mod.ts";
import { InputError, MismatchError, OrderlensError } from "../errors/mod.ts";
import { checkOptions, defineRule, type OptionRules } from "../errors/option_rules.ts";
import { enableWasmKeccak } from "../evm/hex.ts";
import type { OnchainSettlement, RpcAnswer, RpcNode } from "../evm/mod.ts";
import {
  CHAIN_ID_CALL,
  type NodeSource,
  parseChainId,
  requireNode,
} from "../evm/node/node_source.ts";
import { toSettlementCalls } from "../evm/node/read_settlement_logs.ts";
import { RPC_OPTIONS, type RpcOptions } from "../evm/node/rpc_batches.ts";
import type { TransactionFields } from "../evm/node/transaction_hash.ts";
import { indexByUid } from "../metrics/not_computable.ts";
import {
  COMPARE_OPTIONS,
  type CompareSettlementOptions,
  OWNERS_UNPROVED,
  SENDER_UNPROVED,
  type SettlementDifference,
} from "../metrics/settlements/compare_records.ts";
import type { SettlementAudit } from "../metrics/settlements/settlement_audit.ts";
import type { Competition } from "../schemas/mod.ts";
import { groupByHex, sameHex } from "../units/mod.ts";
import { OrderBook } from "./order_book.ts";
import { fetchTrades, readChainFacts } from "./trade_request.ts";

/** Reports that a settlement is compared with, and options of requests to the node. */
export interface AuditSettlementOptions extends CompareSettlementOptions, RpcOptions {
  /** Deployment whose reports are fetched where they are not passed. */
  readonly book?: OrderBook;
}

const OPTIONS: OptionRules<AuditSettlementOptions> = {
  ...RPC_OPTIONS,
  ...COMPARE_OPTIONS,
  book: defineRule("an order book from `connect`", (value) => value instanceof OrderBook),
};

const ACTION = "Cannot audit a settlement";

/**
 * Audits a settlement: fetches it from a node, and compares it with what was reported.
 *
 * The node's responses are checked against each other: the hash of the transaction's bytes where the
 * node reports them, its sender, blocks, and the logs that the calldata emits; signers of orders are
 * recovered. `compareSettlement` says what is
 * compared; pass the reports, or a `book` that fetches the competition, the orders and their fills.
 *
 * @param source A node of the settlement's network, or an equivalent: its URL, a sandbox, a
 * recording. Keys in a URL are never shown.
 * @param txHash Hash of the transaction.
 * @param options Reports or `book`; options of requests to the node.
 * @returns Trades with exact fees, token imbalances of the settlement contract, gas and differences.
 * @throws {InputError} If the hash, `source` or an option is invalid; if the node does not have the
 * transaction, or it does not settle: it calls another contract, and none that settles is known.
 * @throws {MismatchError} If the node's responses contradict the hash, the signature, the calldata or
 * each other.
 * @throws {NetworkError} If the node cannot be reached.
 * @throws {TimeoutError} If it times out.
 * @throws {HttpError} If it returns an invalid response, or an error.
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
  const subject = `settlement ${String(txHash).slice(0, 80)}`;
  if (!/^0x[0-9a-fA-F]{64}$/.test(txHash)) {
    throw new InputError(`${ACTION}: not a transaction hash`, {
      facts: { found: String(txHash).slice(0, 80) },
      remedy: "Pass 0x and 64 hex digits",
    });
  }
  const hash = txHash.toLowerCase();
  const { book, reports, sending } = splitOptions(options);
  const ask = requireNode(source, subject, sending);
  const [transaction, receipt, chain] = await ask([...toSettlementCalls(hash), CHAIN_ID_CALL]);
  // Decoding calldata takes viem, which nothing else here needs.
  const [{ readSettlement }, { compareSettlement }] = await Promise.all([
    import("../evm/node/read_settlement.ts"),
    import("../metrics/settlements/settlement_audit.ts"),
  ]);
  const chainId = parseChainId(chain);
  const facts = {
    ...readChainFacts(source, book),
    ...chainId === undefined ? {} : { chainId },
    ...reports,
  };
  const settlement = readSettlement(
    hash,
    [transaction, receipt],
    subject,
    facts.settlementContract,
  );
  const [proofs, fetched] = await Promise.all([
    proveSettlement(settlement, Object(transaction).result, facts.chainId),
    book === undefined ? {} : fetchReports(book, hash, { ...reports, signal: options.signal }),
  ]);
  const audit = compareSettlement(settlement, { ...fetched, ...facts });
  const otherOrders = new Set(
    audit.differences.flatMap(({ what, uid }) => what === "other_order" ? [uid] : []),
  );
  return {
    ...audit,
    differences: [
      ...audit.differences,
      ...proofs.differences.filter(({ uid }) => !otherOrders.has(uid)),
    ],
    unverified: audit.unverified.filter((sentence) => !proofs.proved.includes(sentence)),
  };
}

async function proveSettlement(
  settlement: OnchainSettlement,
  fields: TransactionFields,
  chainId: number | undefined,
): Promise<{ proved: readonly string[]; differences: readonly SettlementDifference[] }> {
  const [{ recoverSender }, { tradeOrderUid }, { orderDomain }] = await Promise.all([
    import("../evm/node/transaction_hash.ts"),
    import("../evm/settlement/decode_settlement.ts"),
    import("../evm/orders/order_uid.ts"),
  ]);
  const { txHash, from, to, trades, events } = settlement;
  const sender = await recoverSender(fields);
  if (sender !== null && sender !== from) {
    throw new MismatchError({
      request: "eth_getTransactionByHash",
      field: "from",
      asked: `${sender}, which signed ${txHash}`,
      answered: from,
      remedy: "Use another node: this one names another sender than the account that signed",
    });
  }
  const proved = sender === null ? [] : [SENDER_UNPROVED];
  if (chainId === undefined) return { proved, differences: [] };
  const domain = orderDomain({ chainId, settlementContract: to });
  const fills = events.filter((event) => event.event === "Trade");
  const mismatches = await Promise.all(fills.map(async ({ orderUid }, index) => {
    const trade = trades[index];
    if (trade === undefined || !/^(?:eip712|ethsign)$/.test(trade.signingScheme)) return [];
    const signedUid = await tradeOrderUid(domain, trade).catch((error: unknown) => {
      if (error instanceof InputError) return error.message;
      throw error;
    });
    return sameHex(signedUid, orderUid)
      ? []
      : [{ what: "other_order", uid: orderUid, onChain: signedUid, reported: orderUid } as const];
  }));
  return { proved: [...proved, OWNERS_UNPROVED], differences: mismatches.flat() };
}

/** Splits the options of requests to a node from the reports to compare with. */
function splitOptions<Options extends AuditSettlementOptions>(
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

/** Fetches the reports that were not passed. */
async function fetchReports(
  book: OrderBook,
  txHash: string,
  { competition, trades, orders, signal }: CompareSettlementOptions & CallOptions,
): Promise<CompareSettlementOptions> {
  const [auction, settledOrders] = await runTogether([
    async (signal) =>
      competition ?? await book.competition(txHash, { signal }).catch(ignoreNotFound),
    (signal) => book.transactionOrders(txHash, { signal }),
  ], signal);
  const fills = trades ??
    (await runTogether(
      settledOrders.map(({ uid }) => (signal: AbortSignal) => fetchTrades(book, uid, { signal })),
      signal,
    )).flat();
  return { competition: auction, trades: fills, orders: orders ?? settledOrders };
}

/** Reports that settlements are compared with in addition to their competitions; options of requests. */
export interface AuditRangeOptions
  extends Omit<CompareSettlementOptions, "competition">, RpcOptions {}

/** One settlement of a range: its audit, or the reason why there is none. */
export interface AuditedSettlement {
  /** Hash of the transaction. */
  readonly txHash: string;
  /** Auction that reports it. */
  readonly auctionId: number;
  /** The audit; `null` if the node's responses cannot be used. */
  readonly audit: SettlementAudit | null;
  /** Reason why there is no audit: the node does not have it, or its responses contradict each other. */
  readonly error: OrderlensError | null;
}

const { competition: _, ...REPORTS } = COMPARE_OPTIONS;
/** Settlements per request, which has two calls for each. */
const SETTLEMENTS_PER_REQUEST = 50;

interface RequestedSettlement {
  readonly txHash: string;
  readonly competition: Competition;
}

/**
 * Audits all settlements of auctions: 50 per request to the node, the next ones requested while
 * some are compared.
 *
 * @param source A node of the network, or an equivalent: its URL, a sandbox, a recording.
 * @param competitions Auctions; each names its settlement transactions.
 * @param options Reported fills and orders of the whole range; options of requests.
 * @returns One item per settlement, in the order of the auctions. A settlement that the node does
 * not have, that does not settle, or whose responses contradict each other has an `error` instead of an
 * audit. Signers are not recovered, which `auditSettlement` does: `unverified` says so.
 * @throws {InputError} If `source` or an option is invalid.
 * @throws {NetworkError} If the node cannot be reached.
 * @throws {TimeoutError} If it times out.
 * @throws {HttpError} If it refuses a whole request.
 *
 * @example The fees of the latest auctions, proved
 * ```ts
 * import { auditRange, connect } from "orderlens";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const recording = await replay("market_1");
 * const found = await Array.fromAsync(connect(recording).competitions({ last: 5 }));
 * const competitions = found.flatMap(({ competition }) => competition ?? []);
 *
 * for await (const { audit } of auditRange(recording, competitions)) {
 *   assertEquals(audit?.differences, []);
 * }
 * ```
 */
export async function* auditRange(
  source: NodeSource,
  competitions: Iterable<Competition> | AsyncIterable<Competition>,
  options: AuditRangeOptions = {},
): AsyncGenerator<AuditedSettlement> {
  checkOptions(options, { ...RPC_OPTIONS, ...REPORTS }, "Cannot audit settlements");
  const { reports: { trades, orders, ...otherReports }, sending } = splitOptions(options);
  const ask = requireNode(source, "settlements", sending);
  const fills = trades === undefined ? undefined : groupByHex(
    Iterator.from(trades).filter(({ txHash }) => txHash !== null),
    ({ txHash }) => txHash!,
  );
  const orderIndex = orders === undefined ? {} : { orders: indexByUid(orders) };
  const facts = {
    ...readChainFacts(source, undefined),
    ...await readChainId(ask),
    ...otherReports,
    ...orderIndex,
  };
  // Decoding calldata takes viem, which nothing else here needs.
  const [{ readSettlement }, { compareSettlement }] = await Promise.all([
    import("../evm/node/read_settlement.ts"),
    import("../metrics/settlements/settlement_audit.ts"),
    enableWasmKeccak(),
  ]);
  for await (const { settlements, answers } of readAhead(fetchBatches(ask, competitions))) {
    for (const [index, { txHash, competition }] of settlements.entries()) {
      const auctionId = competition.auctionId;
      try {
        const pair = answers.slice(2 * index, 2 * index + 2);
        const contract = facts.settlementContract;
        const settlement = readSettlement(txHash, pair, `settlement ${txHash}`, contract);
        const audit = compareSettlement(settlement, {
          ...facts,
          ...fills === undefined ? {} : { trades: fills.get(txHash) ?? [] },
          competition,
        });
        yield { txHash, auctionId, audit, error: null };
      } catch (error) {
        if (!(error instanceof OrderlensError)) throw error;
        yield { txHash, auctionId, audit: null, error };
      }
    }
  }
}

async function readChainId(ask: RpcNode): Promise<{ chainId?: number }> {
  const [answer] = await ask([CHAIN_ID_CALL]);
  const chainId = parseChainId(answer);
  return chainId === undefined ? {} : { chainId };
}

interface SettlementBatch {
  readonly settlements: readonly RequestedSettlement[];
  readonly answers: readonly RpcAnswer[];
}

/** Fetches settlements in batches, one per request. */
async function* fetchBatches(
  ask: RpcNode,
  competitions: Iterable<Competition> | AsyncIterable<Competition>,
): AsyncGenerator<SettlementBatch> {
  const fetchBatch = async (
    settlements: readonly RequestedSettlement[],
  ): Promise<SettlementBatch> => ({
    settlements,
    answers: await ask(settlements.flatMap(({ txHash }) => toSettlementCalls(txHash))),
  });
  let settlements: RequestedSettlement[] = [];
  for await (const competition of competitions) {
    for (const hash of competition.transactionHashes) {
      settlements.push({ txHash: hash.toLowerCase(), competition });
      if (settlements.length < SETTLEMENTS_PER_REQUEST) continue;
      yield await fetchBatch(settlements);
      settlements = [];
    }
  }
  if (settlements.length > 0) yield await fetchBatch(settlements);
}

/** Yields items, requesting the next one while one is used. */
async function* readAhead<Item>(items: AsyncGenerator<Item>): AsyncGenerator<Item> {
  let next = items.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = items.next();
      // A failure is thrown where the item is awaited.
      next.catch(() => {});
      yield value;
    }
  } finally {
    await next.catch(() => {});
    await items.return(undefined);
  }
}
