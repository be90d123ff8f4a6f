import { connect } from "../../client/connect.ts";
import type { RpcNode } from "../../evm/mod.ts";
import { requireChain, requireNode } from "../../evm/node/node_source.ts";
import { toSettlementCalls } from "../../evm/node/read_settlement_logs.ts";
import { isObject, readFacts } from "../../recordings/deployment.ts";
import { compareGasCost } from "../../metrics/consistency/settlement_contradictions.ts";
import type { SettlementAudit } from "../../metrics/settlements/settlement_audit.ts";
import { countCommon } from "../../recordings/recorded_competitions.ts";
import type { Competition, Instance, Trade } from "../../schemas/mod.ts";
import { sameHex } from "../../units/mod.ts";
import { splitIntoChunks } from "../../endpoints/calls.ts";
import { isQuantity } from "../../evm/node/rpc_batches.ts";
import type { DatasetPaths } from "../layout/files.ts";
import { type DatasetManifest, listRaws } from "../layout/manifest.ts";
import {
  addResponse,
  createReader,
  type SettlementResponses,
  SETTLEMENTS_PER_REQUEST,
} from "../shards/node_settlement.ts";
import { auditSettlements } from "../shards/settlement_audits.ts";
import { readRecords } from "../shards/shard_records.ts";
import { findWrappedToken } from "../shards/table_context.ts";
import { type ChainDifferenceCount, ChainTally, compareRows, Sample } from "./chain_rows.ts";
import { compareNodeFacts, type NodeFacts, type ProofOptions } from "./prove_node_facts.ts";
import { Dataset } from "./dataset.ts";
import { FileRecords } from "./file_records.ts";

/** A settlement for which a node's response differs from that of the dataset, or is missing. */
export interface ChangedSettlement {
  /** Hash of the transaction. */
  readonly txHash: string;
  /** File of its stored responses, or of the auction that names it. */
  readonly file: string;
  /**
   * `"missing"`: the node does not have it, as a pruned one; `"contradictory"`: its responses
   * contradict each other; `"reorganized"`: it is in another block; `"different"`: something else
   * differs.
   */
  readonly what: "missing" | "contradictory" | "reorganized" | "different";
  /** The difference, in words. */
  readonly detail: string;
}

/** Proof of a dataset by a node. */
export interface ChainProof {
  /** Number of settlements that were requested from the node. */
  readonly settlements: number;
  /** Number of those whose responses the dataset has. */
  readonly kept: number;
  /** Number of stored ones for which the node's responses are equal. */
  readonly agreeing: number;
  /** The others. */
  readonly changed: readonly ChangedSettlement[];
  /** Number of transactions that cannot be audited, by reason. */
  readonly notAudited: Readonly<Record<string, number>>;
  /** Number of trades that were audited. */
  readonly trades: number;
  /** Number of rows of tables that were compared. */
  readonly rows: number;
  /** Differences between the chain and the dataset, by kind. */
  readonly differences: readonly ChainDifferenceCount[];
  /** Timestamps of blocks and decimals of tokens, compared with the node's. */
  readonly facts: NodeFacts;
}

const RAW = ".ndjson.zst";

/**
 * Proves a dataset against the chain, one file after another: requests every settlement that auctions
 * name from a node, compares its responses with the stored ones, audits the stored ones again, and
 * compares fills, fees and winners of the tables with them.
 *
 * @throws {InputError} If the node is of another chain.
 * @throws {NetworkError} If the node cannot be reached.
 */
export async function proveChain(
  paths: DatasetPaths,
  manifest: DatasetManifest,
  { node, sample, seed, signal }: ProofOptions,
): Promise<ChainProof> {
  const { chainId, settlementContract } = manifest.source;
  const call = requireNode(node, "the chain id", { signal });
  await requireChain(call, chainId, "Cannot verify a dataset");
  const { deployment } = await readFacts(paths.file("deployment.json"));
  const proof = new Proof({
    paths,
    manifest,
    ask: requireNode(node, "settlements", { signal }),
    drawn: sample === undefined
      ? null
      : await drawSettlements(paths, manifest, { sample, seed, signal }),
    dataset: new Dataset(paths, manifest, { chainId, settlementContract }),
    wrappedNativeToken: findWrappedToken(manifest.source, deployment),
    signal,
  });
  for (const { path } of listRaws(manifest)) await proof.addFile(path);
  const tokens = deployment.tokens ?? [];
  const facts = await compareNodeFacts(paths, manifest, tokens, { node, sample, seed, signal });
  return { ...proof.toResult(), facts };
}

async function drawSettlements(
  paths: DatasetPaths,
  manifest: DatasetManifest,
  { sample, seed, signal }: { sample: number; seed: number; signal: AbortSignal | undefined },
): Promise<ReadonlySet<string>> {
  const draw = new Sample<string>(sample, seed);
  for (const { path } of listRaws(manifest)) {
    for await (const record of readRecords(paths.file(path))) {
      signal?.throwIfAborted();
      const hashes = record.kind === "settlement"
        ? [record.txHash]
        : record.kind === "competition"
        ? listHashes(record.competition)
        : [];
      for (const hash of hashes) draw.add(hash, hash);
    }
  }
  return new Set(draw.values);
}

function listHashes({ transactionHashes }: Competition): string[] {
  return transactionHashes.map((hash) => hash.toLowerCase());
}

interface ProofContext {
  readonly paths: DatasetPaths;
  readonly manifest: DatasetManifest;
  readonly ask: RpcNode;
  /** Settlements to request; `null` for all. */
  readonly drawn: ReadonlySet<string> | null;
  readonly dataset: Dataset;
  readonly wrappedNativeToken: string | undefined;
  readonly signal: AbortSignal | undefined;
}

class Proof {
  readonly #context: ProofContext;
  readonly #seen = new Set<string>();
  readonly #tally = new ChainTally();
  readonly #changed: ChangedSettlement[] = [];
  readonly #notAudited: Record<string, number> = {};
  readonly #counts = { settlements: 0, kept: 0, agreeing: 0, trades: 0, rows: 0 };

  constructor(using: ProofContext) {
    this.#context = using;
  }

  toResult(): Omit<ChainProof, "facts"> {
    return {
      ...this.#counts,
      changed: this.#changed,
      notAudited: this.#notAudited,
      differences: this.#tally.result(),
    };
  }

  async addFile(path: string): Promise<void> {
    const { paths, manifest, signal, dataset, wrappedNativeToken } = this.#context;
    const { records, competitions, instances, kept: stored } = await this.#read(path);
    const named = competitions.flatMap(listHashes);
    const hashes = [...new Set([...stored.keys(), ...named])].filter((hash) => this.#isNew(hash));
    if (hashes.length === 0) return;
    const responses = await this.#fetchResponses(hashes, { stored, path });
    signal?.throwIfAborted();
    const settling = competitions.filter((competition) =>
      listHashes(competition).some((hash) => responses.has(hash))
    );
    for (const competition of settling) records.noteBids(competition);
    await records.addMissing(connect(dataset), signal);
    const { source } = manifest;
    const { trades, answeredFills } = records;
    const facts = {
      competitions: settling,
      orders: records.orders.values(),
      trades,
      answeredFills,
      instances,
    };
    const audits = await auditSettlements(responses.values(), facts, {
      source,
      wrappedNativeToken,
    });
    for (const { txHash, audit, why } of audits) {
      if (why !== null) this.#notAudited[why] = (this.#notAudited[why] ?? 0) + 1;
      this.#counts.trades += audit?.trades.length ?? 0;
      if (audit !== null) this.#compareGas(audit, trades);
      for (const { what, uid, onChain, reported } of audit?.differences ?? []) {
        this.#tally.add(what, { txHash, orderUid: uid, onChain, reported });
      }
    }
    this.#counts.rows += await compareRows(
      { paths, manifest, name: path.slice("raw/".length, -RAW.length) },
      audits.map((outcome) => ({ ...outcome, isKept: stored.has(outcome.txHash) })),
      { reported: records, tally: this.#tally },
    );
  }

  /** Compares gas costs of reported fills with the receipt of their settlement. */
  #compareGas({ txHash, gasCost, trades }: SettlementAudit, fills: readonly Trade[]): void {
    const gas = { txHash, gasCost, tradeCount: trades.length };
    const matches = fills.filter((fill) => fill.txHash !== null && sameHex(fill.txHash, txHash));
    for (const fill of matches) {
      for (const { facts: [reported, onChain] } of compareGasCost(fill, gas)) {
        this.#tally.add("gas_cost", {
          txHash,
          orderUid: fill.orderUid,
          onChain: onChain.value,
          reported: reported.value,
        });
      }
    }
  }

  /** Whether a settlement is to be requested, and was not: two files may name one. */
  #isNew(hash: string): boolean {
    if (this.#seen.has(hash) || this.#context.drawn?.has(hash) === false) return false;
    this.#seen.add(hash);
    return true;
  }

  async #read(path: string) {
    const records = new FileRecords();
    const competitions: Competition[] = [];
    const instances: Instance[] = [];
    const stored = new Map<string, SettlementResponses>();
    await records.read(this.#context.paths.file(path), this.#context.signal, (record) => {
      if (record.kind === "competition") {
        if (record.competition.transactionHashes.length > 0) competitions.push(record.competition);
      } else if (record.kind === "instance") {
        const { auctionId, instance: { surplusCapturingJitOrderOwners: owners } } = record;
        instances.push({
          id: auctionId,
          ...owners !== undefined && { surplusCapturingJitOrderOwners: owners },
        });
      } else if (record.kind === "settlement") addResponse(stored, record);
    });
    return { records, competitions, instances, kept: stored };
  }

  /** Fetches the responses to audit: the stored ones, and those of the node where none are stored. */
  async #fetchResponses(
    hashes: readonly string[],
    { stored, path }: { stored: ReadonlyMap<string, SettlementResponses>; path: string },
  ): Promise<Map<string, SettlementResponses>> {
    const { ask, signal, manifest } = this.#context;
    const readSettlement = await createReader(manifest.source.settlementContract);
    const responses = new Map<string, SettlementResponses>();
    for (const batch of splitIntoChunks(hashes, SETTLEMENTS_PER_REQUEST)) {
      signal?.throwIfAborted();
      const results = await ask(batch.flatMap((hash) => toSettlementCalls(hash)));
      for (const [index, txHash] of batch.entries()) {
        const [transaction, receipt] = [results[2 * index]!, results[2 * index + 1]!];
        const earlier = stored.get(txHash);
        this.#counts.settlements++;
        if (earlier !== undefined) {
          this.#counts.kept++;
          responses.set(txHash, earlier);
        }
        const parsed = readSettlement(txHash, [transaction, receipt]);
        if (parsed.is === "missing" || parsed.is === "unusable") {
          this.#changed.push({
            txHash,
            file: path,
            what: parsed.is === "missing" ? "missing" : "contradictory",
            detail: parsed.why,
          });
          continue;
        }
        const now = {
          txHash,
          transaction: Reflect.get(transaction, "result"),
          receipt: Reflect.get(receipt, "result"),
        };
        const change = earlier === undefined ? null : compareResponses(earlier, now);
        if (earlier === undefined) responses.set(txHash, now);
        else if (change === null) this.#counts.agreeing++;
        else this.#changed.push({ txHash, file: path, ...change });
      }
    }
    return responses;
  }
}

const MAX_VALUE_CHARS = 80;
/** Characters of an excerpt in front of the difference. */
const CONTEXT_CHARS = 16;

/**
 * Compares the responses of a node with the stored ones, in fields that both have: other node
 * implementations have other fields.
 *
 * @returns `null` if nothing differs.
 */
function compareResponses(
  stored: SettlementResponses,
  now: SettlementResponses,
): Pick<ChangedSettlement, "what" | "detail"> | null {
  const differences = [
    ...findDifferences("transaction", stored.transaction, now.transaction),
    ...findDifferences("receipt", stored.receipt, now.receipt),
  ];
  const [first] = differences;
  if (first === undefined) return null;
  const moved = differences.find(({ path }) => /\.block(?:Number|Hash)$/.test(path));
  const { path, before, after } = moved ?? first;
  const more = differences.length > 1 ? `, and ${differences.length - 1} more` : "";
  return {
    what: moved === undefined ? "different" : "reorganized",
    detail: `${path} was ${before} and is ${after}${more}`,
  };
}

interface Difference {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

function* findDifferences(path: string, before: unknown, after: unknown): Generator<Difference> {
  if (Array.isArray(before) && Array.isArray(after)) {
    if (before.length !== after.length) {
      yield { path: `${path}.length`, before: `${before.length}`, after: `${after.length}` };
      return;
    }
    for (const [index, element] of before.entries()) {
      yield* findDifferences(`${path}[${index}]`, element, after[index]);
    }
  } else if (isObject(before) && isObject(after)) {
    for (const name of Object.keys(before)) {
      if (Object.hasOwn(after, name)) {
        yield* findDifferences(`${path}.${name}`, before[name], after[name]);
      }
    }
  } else if (!isSame(before, after)) {
    const formatValue = (value: unknown) => JSON.stringify(value) ?? "nothing";
    const [element, two] = [formatValue(before), formatValue(after)];
    const start = findStart(element, two);
    yield { path, before: excerpt(element, start), after: excerpt(two, start) };
  }
}

/** Compares values; letter case of hex and leading zeros of a quantity depend on the node. */
function isSame(before: unknown, after: unknown): boolean {
  if (before === after) return true;
  if (typeof before !== "string" || typeof after !== "string") return false;
  const [lower, two] = [before, after].map((text) => text.toLowerCase());
  if (lower === two) return true;
  return isQuantity(lower) && isQuantity(two) && BigInt(lower) === BigInt(two);
}

/** Finds the start of an excerpt that shows where long values differ. */
function findStart(text: string, otherText: string): number {
  const same = countCommon(text, otherText);
  return same < MAX_VALUE_CHARS / 2 ? 0 : same - CONTEXT_CHARS;
}

function excerpt(text: string, start: number): string {
  const end = start + MAX_VALUE_CHARS;
  return `${start > 0 ? "…" : ""}${text.slice(start, end)}${end < text.length ? "…" : ""}`;
}
