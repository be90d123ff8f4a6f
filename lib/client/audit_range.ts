import { checkOptions, type OptionRules } from "../errors/option_rules.ts";
import { OrderlensError } from "../errors/mod.ts";
import type { RpcAnswer, RpcNode } from "../evm/mod.ts";
import { hashInWebAssembly } from "../evm/hex/keccak256.ts";
import { CHAIN_ID_CALL, chainIdIn } from "../evm/node/chain_id.ts";
import { nodeOf, type NodeSource } from "../evm/node/node_source.ts";
import { settlementCalls } from "../evm/node/settlement_calls.ts";
import { RPC_OPTIONS, type RpcOptions } from "../evm/node/rpc_options.ts";
import type { ReportedTrade } from "../metrics/settlements/compare_fills.ts";
import {
  COMPARE_OPTIONS,
  type CompareSettlementOptions,
} from "../metrics/settlements/compare_options.ts";
import type { SettlementAudit } from "../metrics/settlements/settlement_audit.ts";
import { byUid } from "../metrics/by_uid.ts";
import type { Competition } from "../schemas/mod.ts";
import { HexMap } from "../units/mod.ts";
import { parted } from "./audit_settlement.ts";
import { knownFacts } from "./chain_facts.ts";

/** What settlements are compared with besides their competitions; options of requests. */
export interface AuditRangeOptions
  extends Omit<CompareSettlementOptions, "competition">, RpcOptions {}

/** One settlement of a range: its audit, or why there is none. */
export interface AuditedSettlement {
  /** Hash of the transaction. */
  readonly txHash: string;
  /** Auction that reports it. */
  readonly auctionId: number;
  /** The audit; `null` if the node's answers cannot be used. */
  readonly audit: SettlementAudit | null;
  /** Why there is no audit: the node does not have it, or its answers contradict each other. */
  readonly error: OrderlensError | null;
}

const { competition: _, ...REPORTS } = COMPARE_OPTIONS;
const OPTIONS: OptionRules<AuditRangeOptions> = { ...RPC_OPTIONS, ...REPORTS };

/** Settlements per request, which has two calls for each. */
const SETTLEMENTS_PER_REQUEST = 50;

interface Wanted {
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
 * not have, that does not settle, or whose answers contradict each other has an `error` instead of an
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
 * const tape = await replay("market_1");
 * const found = await Array.fromAsync(connect(tape).competitions({ last: 5 }));
 * const competitions = found.flatMap(({ competition }) => competition ?? []);
 *
 * for await (const { audit } of auditRange(tape, competitions)) {
 *   assertEquals(audit?.differences, []);
 * }
 * ```
 */
export async function* auditRange(
  source: NodeSource,
  competitions: Iterable<Competition> | AsyncIterable<Competition>,
  options: AuditRangeOptions = {},
): AsyncGenerator<AuditedSettlement> {
  checkOptions(options, OPTIONS, "Cannot audit settlements");
  const { reports: { trades, orders, ...given }, sending } = parted(options);
  const ask = nodeOf(source, "settlements", sending);
  const fills = trades === undefined ? undefined : fillsByTransaction(trades);
  const index = orders === undefined ? {} : { orders: byUid(orders) };
  const known = { ...knownFacts(source, undefined), ...await chainOf(ask), ...given, ...index };
  // Decoding calldata takes viem, which nothing else here needs.
  const [{ readSettlement }, { compareSettlement }] = await Promise.all([
    import("../evm/node/read_settlement.ts"),
    import("../metrics/settlements/settlement_audit.ts"),
    hashInWebAssembly(),
  ]);
  for await (const { wanted, answers } of lookingAhead(requested(ask, competitions))) {
    for (const [place, { txHash, competition }] of wanted.entries()) {
      const auctionId = competition.auctionId;
      try {
        const pair = answers.slice(2 * place, 2 * place + 2);
        const contract = known.settlementContract;
        const settlement = readSettlement(txHash, pair, `settlement ${txHash}`, contract);
        const audit = compareSettlement(settlement, {
          ...known,
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

async function chainOf(ask: RpcNode): Promise<{ chainId?: number }> {
  const [answer] = await ask([CHAIN_ID_CALL]);
  const chainId = chainIdIn(answer);
  return chainId === undefined ? {} : { chainId };
}

function fillsByTransaction(trades: Iterable<ReportedTrade>): HexMap<ReportedTrade[]> {
  const groups = new HexMap<ReportedTrade[]>();
  for (const trade of trades) {
    if (trade.txHash === null) continue;
    const group = groups.get(trade.txHash);
    if (group === undefined) groups.set(trade.txHash, [trade]);
    else group.push(trade);
  }
  return groups;
}

interface Answered {
  readonly wanted: readonly Wanted[];
  readonly answers: readonly RpcAnswer[];
}

/** The answers about settlements, request by request. */
async function* requested(
  ask: RpcNode,
  competitions: Iterable<Competition> | AsyncIterable<Competition>,
): AsyncGenerator<Answered> {
  const answered = async (wanted: readonly Wanted[]): Promise<Answered> => ({
    wanted,
    answers: await ask(wanted.flatMap(({ txHash }) => settlementCalls(txHash))),
  });
  let wanted: Wanted[] = [];
  for await (const competition of competitions) {
    for (const hash of competition.transactionHashes) {
      wanted.push({ txHash: hash.toLowerCase(), competition });
      if (wanted.length < SETTLEMENTS_PER_REQUEST) continue;
      yield await answered(wanted);
      wanted = [];
    }
  }
  if (wanted.length > 0) yield await answered(wanted);
}

/** The same items; the next one is on its way while one is used. */
async function* lookingAhead<Item>(items: AsyncGenerator<Item>): AsyncGenerator<Item> {
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
