import { InputError } from "../errors/mod.ts";
import { checkOptions, wholeFrom } from "../errors/option_rules.ts";
import type { RpcNode } from "../evm/mod.ts";
import { serveJsonRpc } from "../evm/node/serve_json_rpc.ts";
import type { HttpRequest, HttpResponse, Transport } from "../http/mod.ts";
import { type AuctionRange, type Deployment, readFacts } from "./deployment.ts";
import { Answers } from "./answers.ts";
import { deriveDeployment } from "./derive_deployment.ts";
import { type Answer, type Exchange, jsonAnswer } from "./exchange.ts";
import { findRecording } from "./find_recording.ts";
import { type ReadingOptions, readRecording } from "./read_recording.ts";
import type { Recorded } from "./recorded.ts";
import { recordedBlocks } from "./recorded_blocks.ts";
import { withSettlements } from "./recorded_settlements.ts";
import { shippedRecording } from "./shipped_recordings.ts";
import { Tape } from "./tape.ts";
import { chainNode } from "../evm/node/chain_node.ts";
import { type ChainRecord, readChain } from "./read_chain.ts";
import { RecordedChain, type RecordedChainFacts } from "./recorded_chain.ts";

/** A recording that answers requests like the deployment it was made from. */
export interface Replay extends Transport, AsyncDisposable {
  /** Name of the recording, such as `market_1`. */
  readonly name: string;
  /** `replay://` and the name. */
  readonly baseUrl: string;
  /** The recorded deployment; `null` if neither a deployment file nor the orders reveal it. */
  readonly deployment: Deployment | null;
  /** What can be requested, as sorted lists. */
  readonly recorded: Recorded;
  /**
   * The node of the recorded chain: calls in, answers out.
   *
   * It knows what `<name>.chain.json` beside the recording has, which is read with the first call:
   * settlement transactions and their receipts, logs of the settlement contract, and timestamps of
   * blocks where they were recorded; of tokens the decimals and symbols of the deployment. The
   * answer to everything else is an error with code -32001, which says what was not recorded:
   * nothing is `null` that may exist. `send` answers the same at `POST /rpc`.
   *
   * @throws {InputError} If the file of the chain is malformed.
   */
  readonly rpc: RpcNode;
  /**
   * Answers one request from the recording.
   *
   * @throws {NotRecordedError} If the recording has no response.
   */
  send(request: HttpRequest): Promise<HttpResponse>;
}

/**
 * Opens a recording and answers requests from it: a complete deployment without a network.
 *
 * Bodies are returned character for character. A GET matches regardless of the order of its query,
 * the case of its hex digits and the spelling of its path (the service's or the API document's),
 * and returns its last response. Other requests match by equal JSON; repeated ones answer in
 * recorded order, then keep returning the last response. Beyond recorded requests, these are
 * derived from recorded responses:
 *
 * - any page of an account's orders or of an owner's or an order's trades, cut from recorded pages;
 * - by_uids for any UIDs whose orders were recorded; a UID that occurs in no response is left out,
 *   as the service leaves out an order it does not have;
 * - one order from a recorded by_uids response, and the service's 404 for one that such a response
 *   lacks;
 * - the latest competition, and the service's 404 for an auction id that the recording proves
 *   absent: above the latest one, or in a gap of a range that its deployment file declares
 *   complete.
 *
 * A recording is the name of a shipped recording, a file (`.ndjson`, `.ndjson.gz` or
 * `.ndjson.zst`), a folder of such files of one deployment, or an exported dataset. Files are read
 * in the order of their names. The deployment is read from
 * `<name>.deployment.json` next to the file, or from the only such file in the folder; otherwise it
 * is derived from the recorded orders. `rpc` answers what a node would be asked, from
 * `<name>.chain.json` (or `.chain.json.gz`) next to the file or in the folder, and from the
 * timestamps of blocks and the settlements that a dataset has. Needs read permission, and keeps no file open.
 *
 * @param nameOrPath The name of a shipped recording (`market_1`) or a path; if both match, the
 * name wins (`./market_1` is the path).
 * @param options How much a packed file may stand for.
 * @throws {InputError} If nothing is found, a line is not an exchange, nothing was recorded, or the
 * orders name several settlement contracts.
 * @example Half an hour of auctions, offline
 * ```ts
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const tape = await replay("market_1");
 * const latest = await tape.send({ method: "GET", path: "/api/v2/solver_competition/latest" });
 *
 * assertEquals(tape.recorded.auctionIds.length, 569);
 * assertEquals(JSON.parse(latest.body).auctionId, tape.recorded.auctionIds.at(-1));
 * ```
 */
export async function replay(
  nameOrPath: string | URL,
  options: ReadingOptions = {},
): Promise<Replay> {
  checkOptions(options, { mostBytes: wholeFrom(1) }, "Cannot replay a recording");
  const { name, files, facts, chains = [] } = await findRecording(nameOrPath);
  const isShipped = typeof nameOrPath === "string" && shippedRecording(nameOrPath) !== undefined;
  const known = isShipped ? shippedTapes.get(name)?.deref() : undefined;
  const tape = known ?? await readTape(nameOrPath, files, options);
  if (isShipped) shippedTapes.set(name, new WeakRef(tape));
  const told = facts === undefined
    ? { deployment: deriveDeployment(name, tape) }
    : await readFacts(facts);
  const exchanges = tape.keyed.map(({ exchange }) => exchange);
  const blocks = recordedBlocks(exchanges);
  return new RecordedDeployment(name, tape, { ...told, chains, blocks, exchanges });
}

/** Shipped recordings, which never change, while they are still in memory. */
const shippedTapes = new Map<string, WeakRef<Tape>>();

async function readTape(
  nameOrPath: string | URL,
  files: readonly (string | URL)[],
  options: ReadingOptions,
): Promise<Tape> {
  const exchanges: Exchange[] = [];
  for (const file of files) {
    for (const each of await readRecording(file, options)) exchanges.push(each);
  }
  if (exchanges.length > 0) return new Tape(exchanges);
  throw new InputError(`Cannot replay ${nameOrPath}: it contains no exchanges`, {
    facts: { files: files.join(", ") },
    remedy: "Record something first, with `record(transport, folder)`",
  });
}

interface Facts {
  readonly deployment: Deployment | null;
  readonly walked?: AuctionRange;
  readonly chains: readonly (string | URL)[];
  readonly blocks: Readonly<Record<string, number>>;
  readonly exchanges: readonly Exchange[];
}

class RecordedDeployment implements Replay {
  readonly name: string;
  readonly baseUrl: string;
  readonly deployment: Deployment | null;
  readonly rpc: RpcNode;
  readonly #answers: Answers;

  constructor(name: string, tape: Tape, facts: Facts) {
    this.name = name;
    this.baseUrl = `replay://${name}`;
    this.deployment = facts.deployment;
    const { deployment, chains, blocks, exchanges } = facts;
    const chain = { recording: this.baseUrl, deployment, chains, blocks };
    this.rpc = withSettlements(exchanges, recordedNode(chain));
    this.#answers = new Answers(tape, { recording: this.baseUrl, walked: facts.walked });
  }

  get recorded(): Recorded {
    return this.#answers.recorded;
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    request.signal?.throwIfAborted();
    const { status, contentType, responseBody } = request.path === "/rpc" &&
        request.method === "POST"
      ? await this.#answerRpc(request.body ?? "")
      : this.#answers.to(request);
    const headers = new Headers(contentType === null ? {} : { "content-type": contentType });
    return { status, contentType, headers, body: responseBody };
  }

  async #answerRpc(body: string): Promise<Answer> {
    const answer = await serveJsonRpc(body, this.rpc);
    if (answer === null) return { status: 204, contentType: null, responseBody: "" };
    return jsonAnswer(200, answer);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }
}

/** A recorded chain, before its records are read. */
interface UnreadChain extends Omit<RecordedChainFacts, "chain"> {
  /** Files of the chain's records; with more than one, the chain is ambiguous. */
  readonly chains: readonly (string | URL)[];
  /** Timestamps of blocks among the exchanges, by number, in unix seconds. */
  readonly blocks?: Readonly<Record<string, number>>;
}

/** The node of a recorded chain; its file is read with the first call. */
function recordedNode(unread: UnreadChain): RpcNode {
  let node: Promise<RpcNode> | undefined;
  return async (calls) => await (await (node ??= openNode(unread)))(calls);
}

async function openNode({ chains, blocks = {}, ...facts }: UnreadChain): Promise<RpcNode> {
  const chain = withBlocks(await oneChain(chains), blocks);
  return chainNode(new RecordedChain({ ...facts, chain }));
}

function withBlocks(
  chain: ChainRecord | null,
  blocks: Readonly<Record<string, number>>,
): ChainRecord | null {
  if (Object.keys(blocks).length === 0) return chain;
  const { settlements = {}, logs = [], blocks: known = {} } = chain ?? {};
  return { settlements, logs, blocks: { ...blocks, ...known } };
}

async function oneChain(chains: readonly (string | URL)[]): Promise<ChainRecord | null> {
  const [file, ...others] = chains;
  if (file === undefined) return null;
  if (others.length === 0) return await readChain(file);
  throw new InputError("Cannot read the chain of a folder: it contains several", {
    facts: { files: chains.join(", ") },
    remedy: "Keep one chain per folder, or replay one of the files",
  });
}
