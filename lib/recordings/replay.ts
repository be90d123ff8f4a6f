import { InputError } from "../errors/mod.ts";
import { checkOptions, wholeNumber } from "../errors/option_rules.ts";
import { computeOrderUid, orderDomain, type RpcNode } from "../evm/mod.ts";
import { createChainNode } from "../evm/node/chain_node.ts";
import { serveJsonRpc } from "../evm/node/serve_json_rpc.ts";
import type { HttpRequest, HttpResponse, Transport } from "../http/mod.ts";
import { NETWORKS } from "../networks/networks.ts";
import { decodeOrder, type Order } from "../schemas/mod.ts";
import { sameHex } from "../units/mod.ts";
import { type RecordedSubjects, Responses } from "./responses.ts";
import { type Deployment, readFacts } from "./deployment.ts";
import {
  addSettlements,
  collectBlocks,
  type ReadingOptions,
  readRecording,
  Recording,
} from "./recording.ts";
import { findRecording } from "./record.ts";
import {
  type ChainRecord,
  readChain,
  RecordedChain,
  type RecordedChainFacts,
} from "./recorded_chain.ts";
import { type Exchange, type RecordedResponse, toJson, toResponse } from "./request_key.ts";
import { findShippedRecording } from "./shipped_recordings.ts";

/** A recording that answers requests like the deployment it was made from. */
export interface Replay extends Transport, AsyncDisposable {
  /** Name of the recording, such as `market_1`. */
  readonly name: string;
  /** `replay://` and the name. */
  readonly baseUrl: string;
  /** The recorded deployment; `null` if neither a deployment file nor the orders reveal it. */
  readonly deployment: Deployment | null;
  /** Everything that can be requested, as sorted lists. */
  readonly recorded: RecordedSubjects;
  /**
   * The node of the recorded chain.
   *
   * It has the content of `<name>.chain.json` beside the recording, which is read with the first call:
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
 * is derived from the recorded orders. `rpc` answers calls of a node, from
 * `<name>.chain.json` (or `.chain.json.gz`) next to the file or in the folder, and from the
 * timestamps of blocks and the settlements that a dataset has. Needs read permission, and leaves no file open.
 *
 * @param nameOrPath The name of a shipped recording (`market_1`) or a path; if both match, the
 * name wins (`./market_1` is the path).
 * @param options Maximum size of an unpacked file.
 * @throws {InputError} If nothing is found, a line is not an exchange, nothing was recorded, or the
 * orders name several settlement contracts.
 * @example Half an hour of auctions, offline
 * ```ts
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const recording = await replay("market_1");
 * const latest = await recording.send({ method: "GET", path: "/api/v2/solver_competition/latest" });
 *
 * assertEquals(recording.recorded.auctionIds.length, 569);
 * assertEquals(JSON.parse(latest.body).auctionId, recording.recorded.auctionIds.at(-1));
 * ```
 */
export async function replay(
  nameOrPath: string | URL,
  options: ReadingOptions = {},
): Promise<Replay> {
  checkOptions(options, { mostBytes: wholeNumber(1) }, "Cannot replay a recording");
  const { name, files, facts, chains } = await findRecording(nameOrPath);
  const isShipped = typeof nameOrPath === "string" &&
    findShippedRecording(nameOrPath) !== undefined;
  const read = () => readFiles(nameOrPath, files, options);
  const recording = await (isShipped ? loadShipped(name, options.mostBytes, read) : read());
  const { deployment, walked } = facts === undefined
    ? { deployment: deriveDeployment(name, recording), walked: undefined }
    : await readFacts(facts);
  const exchanges = recording.keyed.map(({ exchange }) => exchange);
  const baseUrl = `replay://${name}`;
  const chain = { recording: baseUrl, deployment, chains, blocks: collectBlocks(exchanges) };
  const rpc = addSettlements(exchanges, createNode(chain));
  const responses = new Responses(recording, { name: baseUrl, walked });
  return {
    name,
    baseUrl,
    deployment,
    rpc,
    get recorded(): RecordedSubjects {
      return responses.recorded;
    },
    async send(request: HttpRequest): Promise<HttpResponse> {
      const { signal, method, path, body = "" } = request;
      signal?.throwIfAborted();
      const isOfNode = path === "/rpc" && method === "POST";
      return toResponse(isOfNode ? await serveRpc(body, rpc) : responses.respond(request));
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

async function serveRpc(body: string, rpc: RpcNode): Promise<RecordedResponse> {
  const answer = await serveJsonRpc(body, rpc);
  if (answer === null) return { status: 204, contentType: null, responseBody: "" };
  return toJson(200, answer);
}

/** Shipped recordings, which never change, while they are still in memory. */
const shippedRecordingCache = new Map<string, WeakRef<Recording>>();
/** Recordings being read, by name and limit: concurrent callers share one read. */
const pendingRecordings = new Map<string, Promise<Recording>>();

async function loadShipped(
  name: string,
  mostBytes: number | undefined,
  load: () => Promise<Recording>,
): Promise<Recording> {
  const cachedRecording = shippedRecordingCache.get(name)?.deref();
  if (cachedRecording !== undefined) return cachedRecording;
  const key = `${name} ${mostBytes}`;
  const promise = pendingRecordings.get(key) ?? load().finally(() => pendingRecordings.delete(key));
  pendingRecordings.set(key, promise);
  const recording = await promise;
  shippedRecordingCache.set(name, new WeakRef(recording));
  return recording;
}

async function readFiles(
  nameOrPath: string | URL,
  files: readonly (string | URL)[],
  options: ReadingOptions,
): Promise<Recording> {
  const exchanges: Exchange[] = [];
  for (const file of files) {
    for (const exchange of await readRecording(file, options)) exchanges.push(exchange);
  }
  if (exchanges.length > 0) return new Recording(exchanges);
  throw new InputError(`Cannot replay ${nameOrPath}: it contains no exchanges`, {
    facts: { files: files.join(", ") },
    remedy: "Record something first, with `record(transport, folder)`",
  });
}

/** A recorded chain, before its records are read. */
interface ChainSource extends Omit<RecordedChainFacts, "chain"> {
  /** Files of the chain's records; with more than one, the chain is ambiguous. */
  readonly chains: readonly (string | URL)[];
  /** Timestamps of blocks among the exchanges, by number, in unix seconds. */
  readonly blocks: Readonly<Record<string, number>>;
}

/** Creates the node of a recorded chain, whose file is read with the first call. */
function createNode(source: ChainSource): RpcNode {
  let node: Promise<RpcNode> | undefined;
  return async (calls) => await (await (node ??= openNode(source)))(calls);
}

async function openNode({ chains, blocks, ...facts }: ChainSource): Promise<RpcNode> {
  const record = await readSingleChain(chains);
  const { settlements = {}, logs = [], blocks: recordedBlocks = {} } = record ?? {};
  const hasBlocks = Object.keys(blocks).length > 0;
  const chain = hasBlocks
    ? { settlements, logs, blocks: { ...blocks, ...recordedBlocks } }
    : record;
  return createChainNode(new RecordedChain({ ...facts, chain }));
}

async function readSingleChain(chains: readonly (string | URL)[]): Promise<ChainRecord | null> {
  const [file, ...otherFiles] = chains;
  if (file === undefined) return null;
  if (otherFiles.length === 0) return await readChain(file);
  throw new InputError("Cannot read the chain of a folder: it contains several", {
    facts: { files: chains.join(", ") },
    remedy: "Keep one chain per folder, or replay one of the files",
  });
}

const settlementField = /"settlementContract":"(0x[0-9a-fA-F]{40})"/g;

/** The service reports this contract for every JIT order, whatever its own contract is. */
const contractOfJitOrders = NETWORKS.mainnet.contracts.settlement.production.toLowerCase();

/** Common chain ids of local nodes. */
const localChainIds = [1337, 31337];
const chainIds = [...Object.values(NETWORKS).map(({ chainId }) => chainId), ...localChainIds];

/**
 * Derives the deployment from recorded orders: each names its settlement contract, and its UID
 * matches under exactly one chain id.
 *
 * JIT orders name the contract of the public deployment, wherever they were settled. Their UIDs
 * match under the contract that the other orders name.
 *
 * @returns `null` if no order was recorded, or no order matches the chain id of a public network or
 * a local node.
 * @throws {InputError} If the orders name several settlement contracts.
 */
export function deriveDeployment(name: string, recording: Recording): Deployment | null {
  const contracts = collectContracts(recording);
  const [first, ...otherContracts] = [...contracts].filter((contract) =>
    contract !== contractOfJitOrders
  );
  if (first === undefined) {
    return contracts.size === 0 ? null : findDeployment(contractOfJitOrders, recording);
  }
  const deployment = findDeployment(first, recording);
  const isMixed = otherContracts.length > 0 ||
    (contracts.has(contractOfJitOrders) && !areAllJitOrders(recording, deployment));
  if (!isMixed) return deployment;
  throw new InputError(`Cannot replay ${name}: its orders come from several deployments`, {
    facts: { "settlement contracts": [...contracts].sort().join(", ") },
    remedy: "Put recordings of different deployments into separate files or folders",
  });
}

function collectContracts(recording: Recording): Set<string> {
  const contracts = new Set<string>();
  for (const { exchange } of recording.keyed) {
    if (exchange.status !== 200) continue;
    for (const [, contract] of exchange.responseBody.matchAll(settlementField)) {
      if (contract !== undefined) contracts.add(contract.toLowerCase());
    }
  }
  return contracts;
}

function findDeployment(settlementContract: string, recording: Recording): Deployment | null {
  for (const order of listOrders(settlementContract, recording)) {
    const chainId = chainIds.find((chainId) =>
      isOfDeployment({ chainId, settlementContract }, order)
    );
    if (chainId !== undefined) return { chainId, settlementContract };
  }
  return null;
}

/**
 * Whether all orders that name the public contract are JIT orders of the deployment.
 */
function areAllJitOrders(recording: Recording, deployment: Deployment | null): boolean {
  let isAny = false;
  for (const order of listOrders(contractOfJitOrders, recording)) {
    const isOwn = deployment === null
      // Without a chain id, JIT orders are recognized by the fields that the service omits.
      ? order.class === "liquidity" && order.fullAppData == null
      : isOfDeployment(deployment, order);
    if (!isOwn) return false;
    isAny = true;
  }
  return isAny;
}

function isOfDeployment(
  { chainId, settlementContract }: Pick<Deployment, "chainId" | "settlementContract">,
  order: Order,
): boolean {
  return sameHex(computeOrderUid(orderDomain({ chainId, settlementContract }), order), order.uid);
}

/** Lists the orders that name a contract, without duplicates. */
function* listOrders(contract: string, recording: Recording): Generator<Order> {
  const uids = new Set<string>();
  for (const { exchange: { status, responseBody } } of recording.keyed) {
    if (status !== 200 || !responseBody.includes('"settlementContract"')) continue;
    const body: unknown = JSON.parse(responseBody);
    const elements: unknown[] = Array.isArray(body) ? body : [body];
    for (const element of elements) {
      const order = tryDecode(element);
      if (order === undefined || uids.has(order.uid)) continue;
      if (!sameHex(order.settlementContract ?? "", contract)) continue;
      uids.add(order.uid);
      yield order;
    }
  }
}

function tryDecode(element: unknown): Order | undefined {
  const isWrapped = typeof element === "object" && element !== null && "order" in element;
  try {
    return decodeOrder(isWrapped ? element.order : element);
  } catch {
    return undefined;
  }
}
