import { connect } from "../../client/connect.ts";
import type { RpcNode } from "../../evm/mod.ts";
import { type NodeSource, requireChain, requireNode } from "../../evm/node/node_source.ts";
import { toSettlementCalls } from "../../evm/node/read_settlement_logs.ts";
import { isObject, readFacts } from "../../recordings/deployment.ts";
import { compareGasCost } from "../../metrics/consistency/settlement_contradictions.ts";
import type { SettlementAudit } from "../../metrics/settlements/settlement_audit.ts";
import type { Competition, Trade } from "../../schemas/mod.ts";
import { sameHex } from "../../units/mod.ts";
import { chunk } from "../export/export_context.ts";
import type { DatasetPaths } from "../layout/files.ts";
import { type DatasetManifest, listRawFiles } from "../layout/manifest.ts";
import {
  addResponse,
  createSettlementReader,
  type SettlementResponses,
} from "../shards/node_settlement.ts";
import { auditSettlements } from "../shards/settlement_audits.ts";
import { readRecords } from "../shards/shard_records.ts";
import { findWrappedToken } from "../shards/table_context.ts";
import { type ChainDifferenceCount, ChainTally, compareRows, Sample } from "./chain_rows.ts";
import { compareNodeFacts, type NodeFacts } from "./prove_node_facts.ts";
import { Dataset } from "./dataset.ts";
import { FileRecords } from "./file_records.ts";

/** A settlement of which a node answers otherwise than the dataset has it, or not at all. */
export interface ChangedSettlement {
  /** Hash of the transaction. */
  readonly txHash: string;
  /** File of the kept answers, or of the auction that names it. */
  readonly file: string;
  /**
   * `"missing"`: the node does not have it, as a pruned one; `"contradictory"`: its answers contradict
   * each other; `"reorganized"`: it is in another block; `"different"`: something else differs.
   */
  readonly what: "missing" | "contradictory" | "reorganized" | "different";
  /** What exactly. */
  readonly detail: string;
}

/** What a node proves of a dataset. */
export interface ChainProof {
  /** Number of settlements that the node was asked for. */
  readonly settlements: number;
  /** Number of those whose answers the dataset has. */
  readonly kept: number;
  /** Number of kept ones that the node answers equally. */
  readonly agreeing: number;
  /** Those that it does not. */
  readonly changed: readonly ChangedSettlement[];
  /** Number of transactions that cannot be audited, by reason. */
  readonly notAudited: Readonly<Record<string, number>>;
  /** Number of trades that were audited. */
  readonly trades: number;
  /** Number of rows of tables that were compared. */
  readonly rows: number;
  /** What differs between the chain and the dataset, by kind. */
  readonly differences: readonly ChainDifferenceCount[];
  /** Timestamps of blocks and decimals of tokens, compared with the node's. */
  readonly facts: NodeFacts;
}

/** What is proved, and with which node. */
interface ProofOptions {
  /** The node. */
  readonly node: NodeSource;
  /** Number of random settlements; all if absent. */
  readonly sample: number | undefined;
  /** Picks them. */
  readonly seed: number;
  /** Ends it. */
  readonly signal: AbortSignal | undefined;
}

const SETTLEMENTS_PER_REQUEST = 50;
const RAW = ".ndjson.zst";

/**
 * Proves a dataset against the chain, one file after another: a node is asked for every settlement
 * that auctions name, its answers are compared with the kept ones, the kept ones are audited again,
 * and fills, fees and winners of the tables compared with them.
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
  const asking = requireNode(node, "the chain id", { signal });
  await requireChain(asking, chainId, "Cannot verify a dataset");
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
  for (const { path } of listRawFiles(manifest)) await proof.addFile(path);
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
  for (const { path } of listRawFiles(manifest)) {
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

/** What a proof uses. */
interface ProofContext {
  readonly paths: DatasetPaths;
  readonly manifest: DatasetManifest;
  readonly ask: RpcNode;
  /** Settlements to ask for; `null` for all. */
  readonly drawn: ReadonlySet<string> | null;
  readonly dataset: Dataset;
  readonly wrappedNativeToken: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** The proof of one file after another. */
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
    const { records, competitions, kept } = await this.#read(path);
    const named = competitions.flatMap(listHashes);
    const wanted = [...new Set([...kept.keys(), ...named])].filter((hash) => this.#isNew(hash));
    if (wanted.length === 0) return;
    const answers = await this.#fetchResponses(wanted, { kept, path });
    signal?.throwIfAborted();
    const settling = competitions.filter((one) =>
      listHashes(one).some((hash) => answers.has(hash))
    );
    for (const competition of settling) records.noteBids(competition);
    await records.addMissing(connect(dataset), signal);
    const { source } = manifest;
    const { trades, answeredFills } = records;
    const known = {
      competitions: settling,
      orders: records.orders.values(),
      trades,
      answeredFills,
    };
    const audits = await auditSettlements(answers.values(), known, { source, wrappedNativeToken });
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
      audits.map((one) => ({ ...one, isKept: kept.has(one.txHash) })),
      { reported: records, tally: this.#tally },
    );
  }

  /** Compares gas costs of reported fills with the receipt of their settlement. */
  #compareGas({ txHash, gasCost, trades }: SettlementAudit, fills: readonly Trade[]): void {
    const gas = { txHash, gasCost, tradeCount: trades.length };
    const settled = fills.filter((fill) => fill.txHash !== null && sameHex(fill.txHash, txHash));
    for (const fill of settled) {
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

  /** Whether a settlement is to be asked for, and was not: two files may name one. */
  #isNew(hash: string): boolean {
    if (this.#seen.has(hash) || this.#context.drawn?.has(hash) === false) return false;
    this.#seen.add(hash);
    return true;
  }

  async #read(path: string) {
    const records = new FileRecords();
    const competitions: Competition[] = [];
    const kept = new Map<string, SettlementResponses>();
    await records.read(this.#context.paths.file(path), this.#context.signal, (record) => {
      if (record.kind === "competition") {
        if (record.competition.transactionHashes.length > 0) competitions.push(record.competition);
      } else if (record.kind === "settlement") addResponse(kept, record);
    });
    return { records, competitions, kept };
  }

  /** The answers to audit: the kept ones, and those of the node where none are kept. */
  async #fetchResponses(
    wanted: readonly string[],
    { kept, path }: { kept: ReadonlyMap<string, SettlementResponses>; path: string },
  ): Promise<Map<string, SettlementResponses>> {
    const { ask, signal, manifest } = this.#context;
    const read = await createSettlementReader(manifest.source.settlementContract);
    const answers = new Map<string, SettlementResponses>();
    for (const some of chunk(SETTLEMENTS_PER_REQUEST, wanted)) {
      signal?.throwIfAborted();
      const answered = await ask(some.flatMap((hash) => toSettlementCalls(hash)));
      for (const [place, txHash] of some.entries()) {
        const [one, two] = [answered[2 * place]!, answered[2 * place + 1]!];
        const before = kept.get(txHash);
        this.#counts.settlements++;
        if (before !== undefined) {
          this.#counts.kept++;
          answers.set(txHash, before);
        }
        const found = read(txHash, [one, two]);
        if (found.is === "missing" || found.is === "unusable") {
          const what = found.is === "missing" ? "missing" : "contradictory";
          this.#changed.push({ txHash, file: path, what, detail: found.why });
          continue;
        }
        const now = { txHash, transaction: readResult(one), receipt: readResult(two) };
        const change = before === undefined ? null : compareResponses(before, now);
        if (before === undefined) answers.set(txHash, now);
        else if (change === null) this.#counts.agreeing++;
        else this.#changed.push({ txHash, file: path, ...change });
      }
    }
    return answers;
  }
}

function readResult(answer: object): unknown {
  return Reflect.get(answer, "result");
}

const MAX_VALUE_CHARS = 80;
/** Of a value whose beginning is left out, what is shown in front of the difference. */
const CONTEXT_CHARS = 16;

/**
 * How the answers of a node differ from the kept ones, in fields that both have: nodes of other
 * makers have fields of their own.
 *
 * @returns `null` if nothing differs.
 */
function compareResponses(
  kept: SettlementResponses,
  now: SettlementResponses,
): Pick<ChangedSettlement, "what" | "detail"> | null {
  const found = [
    ...findDifferences("transaction", kept.transaction, now.transaction),
    ...findDifferences("receipt", kept.receipt, now.receipt),
  ];
  const [first] = found;
  if (first === undefined) return null;
  const moved = found.find(({ path }) => /\.block(?:Number|Hash)$/.test(path));
  const { path, before, after } = moved ?? first;
  const more = found.length > 1 ? `, and ${found.length - 1} more` : "";
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
    for (const [place, one] of before.entries()) {
      yield* findDifferences(`${path}[${place}]`, one, after[place]);
    }
  } else if (isObject(before) && isObject(after)) {
    for (const name of Object.keys(before)) {
      if (Object.hasOwn(after, name)) {
        yield* findDifferences(`${path}.${name}`, before[name], after[name]);
      }
    }
  } else if (!isSame(before, after)) {
    const textOfAll = (value: unknown) => JSON.stringify(value) ?? "nothing";
    const [one, two] = [textOfAll(before), textOfAll(after)];
    const start = findStart(one, two);
    yield { path, before: excerpt(one, start), after: excerpt(two, start) };
  }
}

/** Letter case of hex, and leading zeros of a quantity, are a matter of the node. */
function isSame(before: unknown, after: unknown): boolean {
  if (before === after) return true;
  if (typeof before !== "string" || typeof after !== "string") return false;
  const [one, two] = [before, after].map((text) => text.toLowerCase());
  if (one === two) return true;
  const areQuantities = [one, two].every((text) => /^0x[0-9a-f]{1,64}$/.test(text ?? ""));
  return areQuantities && BigInt(one!) === BigInt(two!);
}

/** Where to begin, so that long values show what differs. */
function findStart(one: string, two: string): number {
  let same = 0;
  while (same < one.length && one[same] === two[same]) same++;
  return same < MAX_VALUE_CHARS / 2 ? 0 : same - CONTEXT_CHARS;
}

function excerpt(text: string, start: number): string {
  const end = start + MAX_VALUE_CHARS;
  return `${start > 0 ? "…" : ""}${text.slice(start, end)}${end < text.length ? "…" : ""}`;
}
