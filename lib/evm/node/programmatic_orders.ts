import { InputError } from "../../errors/mod.ts";
import { checkOptions, isWhole } from "../../errors/option_rules.ts";
import { hideSecrets } from "../../errors/secrets.ts";
import { COW_SHED_FACTORIES, SHARED_CONTRACTS, TWAP_HANDLER } from "../../networks/network.ts";
import { sameHex } from "../../units/mod.ts";
import { padAddress } from "../hex.ts";
import {
  COMPOSABLE_COW_LOGS,
  decodeComposableCowEvents,
  type ProgrammaticOrderEvent,
  programmaticOrderId,
  type ProgrammaticParams,
  tryDecodeTwap,
  type TwapTerms,
} from "../settlement/composable_cow.ts";
import { type BlockHeader, readHeader, toBlockTag, toHeaderCall } from "./block_at.ts";
import { readState } from "./contract_calls.ts";
import { readLogs } from "./ethflow.ts";
import { toMismatch, unwrap } from "./json_rpc.ts";
import { type NodeSource, requireChain, requireNode } from "./node_source.ts";
import { classifyRefusal, GET_RECEIPT } from "./read_settlement_logs.ts";
import { GET_LOGS, RPC_OPTIONS, type RpcNode, type RpcOptions } from "./rpc_batches.ts";

const WANTED = "programmatic orders";
const ACTION = `Cannot get ${WANTED}`;
const COMPOSABLE_COW: string = SHARED_CONTRACTS.composableCow;

/** Filter of programmatic orders: those of a transaction, of an account, or of all accounts. */
export interface ProgrammaticOrdersOptions extends RpcOptions {
  /** The chain; a node of another one is refused. @default {any} */
  readonly chainId?: number | undefined;
  /** Those that this transaction created. @default {of any} */
  readonly txHash?: string | undefined;
  /** Those of this account and of its CoW Shed proxies. @default {of any} */
  readonly account?: string | undefined;
  /** Those of this handler, such as the TWAP handler. @default {of any} */
  readonly handler?: string | undefined;
  /** First block in which they were created. @default {the first one} */
  readonly fromBlock?: number | undefined;
  /** Last block. @default {the latest one} */
  readonly toBlock?: number | undefined;
}

/** A programmatic order that its owner created on the chain. */
export interface ProgrammaticOrder extends ProgrammaticOrderEvent {
  /** Its id: see {@linkcode programmaticOrderId}. */
  readonly id: string;
  /** The requested account, if its proxy is the owner; otherwise `null`. */
  readonly trader: string | null;
  /** Its terms, with the start that applies, if it is a TWAP; otherwise `null`. */
  readonly terms: TwapTerms | null;
  /** Reason why the start of a TWAP is unknown, so that its terms have `t0` of 0; otherwise `null`. */
  readonly startUnknown: string | null;
  /** Whether its owner still allows it; `null` if the node does not return it. */
  readonly isAllowed: boolean | null;
}

/** Programmatic orders, as of a block. */
export interface ProgrammaticOrders {
  /** The orders, by block. One that was created twice is there once, as it was the last time. */
  readonly orders: readonly ProgrammaticOrder[];
  /** The block that they are read at. */
  readonly block: number;
  /** Timestamp of the block. */
  readonly at: Temporal.Instant;
}

/**
 * Finds the TWAPs and other programmatic orders that a transaction or an account created, by the
 * events of ComposableCoW, and reads when they start and whether their owner still allows them.
 *
 * A trader without a wallet contract has a CoW Shed proxy, which owns the orders: a list of the
 * trader's own orders misses them. The proxies of an account are read from their factories.
 *
 * Logs are requested in one call: a node that limits the number of blocks needs `fromBlock` and
 * `toBlock`. Orders that were created without an event, and leaves of Merkle trees, are not found.
 *
 * @param source A node of the network, or an equivalent. Keys in a URL are never shown.
 * @param options The filter, and options of requests.
 * @returns The orders, with the block that they are read at.
 * @throws {InputError} If an option is invalid, or the node is of another chain.
 * @throws {MismatchError} If a log was not requested.
 * @throws {ServiceError} If the node refuses the range of blocks, or returns another error.
 * @throws {NetworkError} If the node cannot be reached; {@linkcode TimeoutError} if it times out.
 */
export async function programmaticOrders(
  source: NodeSource,
  options: ProgrammaticOrdersOptions = {},
): Promise<ProgrammaticOrders> {
  const { chainId, txHash, account, handler, fromBlock, toBlock, ...sending } = options;
  checkOptions(sending, RPC_OPTIONS, ACTION);
  const ask = requireNode(source, WANTED, sending);
  if (chainId !== undefined) await requireChain(ask, chainId, ACTION);
  const [latest] = await ask([toHeaderCall("latest")]);
  const header = readHeader(latest!, null, WANTED);
  if (header === null) {
    throw new InputError(`${ACTION}: there are no blocks to search`, {
      remedy: "Pass the URL of a node: a recording has no events of this contract",
    });
  }
  const proxies = account === undefined ? [] : await fetchProxies(ask, account, header);
  const owners = account === undefined ? null : [account.toLowerCase(), ...proxies];
  const logs = txHash === undefined
    ? await fetchLogs(ask, { owners, fromBlock, toBlock: toBlock ?? header.number })
    : await fetchTransactionLogs(ask, txHash);
  const created = decodeComposableCowEvents(logs).filter((event) =>
    event.event === "ConditionalOrderCreated" &&
    (owners === null || owners.includes(event.owner)) &&
    (handler === undefined || sameHex(event.params.handler, handler))
  ) as ProgrammaticOrderEvent[];
  const newest = new Map(created.map((event) => {
    const id = programmaticOrderId(event.params);
    return [`${event.owner} ${id}`, { ...event, id }];
  }));
  const states = await fetchStates(ask, [...newest.values()], header);
  return {
    orders: [...newest.values()].map((event, index) => ({
      ...event,
      trader: proxies.includes(event.owner) ? account!.toLowerCase() : null,
      ...states[index]!,
    })),
    block: header.number,
    at: Temporal.Instant.fromEpochMilliseconds(header.timestamp * 1_000),
  };
}

async function fetchProxies(ask: RpcNode, account: string, header: BlockHeader): Promise<string[]> {
  const calls = COW_SHED_FACTORIES.map((to) => ({ to, name: "proxyOf", args: [account] }));
  const proxies = await readState(ask, header, { calls, wanted: WANTED });
  // A node without calls still has logs; a factory that does not exist has no proxies.
  return "reason" in proxies ? [] : proxies.filter((proxy) => typeof proxy === "string");
}

async function fetchTransactionLogs(ask: RpcNode, txHash: string) {
  const [answer] = await ask([{ method: GET_RECEIPT, params: [txHash] }]);
  const receipt = unwrap(answer!, WANTED);
  const logs = receipt === null ? [] : readLogs(Object(receipt).logs, WANTED);
  return logs.filter(({ address }) => sameHex(address, COMPOSABLE_COW));
}

async function fetchLogs(
  ask: RpcNode,
  { owners, fromBlock, toBlock }: {
    readonly owners: readonly string[] | null;
    readonly fromBlock: number | undefined;
    readonly toBlock: number;
  },
) {
  const firstBlock = fromBlock ?? 0;
  if (!isWhole(firstBlock, 0) || !isWhole(toBlock, firstBlock)) {
    throw new InputError(`${ACTION}: the blocks are not a range`, {
      facts: { from: String(firstBlock), to: String(toBlock) },
      remedy: "Pass whole numbers of at least 0, the lower one as `fromBlock`",
    });
  }
  const topics = [
    [...COMPOSABLE_COW_LOGS.events.keys()],
    ...owners === null ? [] : [owners.map(padAddress)],
  ];
  const [answer] = await ask([{
    method: GET_LOGS,
    params: [{
      address: COMPOSABLE_COW,
      topics,
      fromBlock: toBlockTag(fromBlock ?? "earliest"),
      toBlock: toBlockTag(toBlock),
    }],
  }]);
  if ("error" in answer! && classifyRefusal(answer.error) !== "missing") {
    throw new InputError(`${ACTION}: the node limits the blocks or the logs of one question`, {
      facts: { "it said": hideSecrets(answer.error.message).slice(0, 200) },
      remedy: "Pass `fromBlock` and `toBlock`, another node, or the transaction that created them",
    });
  }
  const logs = readLogs(unwrap(answer!, WANTED), WANTED);
  for (const { address, topics: [topic], blockNumber } of logs) {
    const block = Number(blockNumber);
    if (!sameHex(address, COMPOSABLE_COW) || !topics[0]!.includes(`${topic}`.toLowerCase())) {
      throw toMismatch(GET_LOGS, "log", `an event of ${COMPOSABLE_COW}`, `${topic} of ${address}`);
    }
    if (!(block >= firstBlock && block <= toBlock)) {
      throw toMismatch(GET_LOGS, "block of a log", `${firstBlock} to ${toBlock}`, block);
    }
  }
  return logs;
}

/** State of a programmatic order, in addition to its event. */
type State = Pick<ProgrammaticOrder, "terms" | "startUnknown" | "isAllowed">;

async function fetchStates(
  ask: RpcNode,
  events: readonly (ProgrammaticOrderEvent & { readonly id: string })[],
  header: BlockHeader,
): Promise<State[]> {
  if (events.length === 0) return [];
  const calls = events.flatMap(({ owner, id }) => [
    { to: COMPOSABLE_COW, name: "singleOrders", args: [owner, id] },
    { to: COMPOSABLE_COW, name: "cabinet", args: [owner, id] },
  ]);
  const values = await readState(ask, header, { calls, wanted: WANTED });
  const states: State[] = [];
  for (const [index, event] of events.entries()) {
    const [isAllowed, cabinet] = "reason" in values ? [] : values.slice(2 * index, 2 * index + 2);
    // A start that its owner removed is in the state of the block that it was created in.
    const start = typeof cabinet === "bigint" && cabinet > 0n || isAllowed === true
      ? cabinet
      : await fetchStart(ask, { ...event, block: event.blockNumber });
    states.push({
      ...toTwapTerms(event.params, typeof start === "bigint" ? start : null),
      isAllowed: typeof isAllowed === "boolean" ? isAllowed : null,
    });
  }
  return states;
}

/** Decodes the terms of a TWAP with its start; those of another handler are not known. */
export function toTwapTerms(
  { handler, staticInput }: ProgrammaticParams,
  start: bigint | null,
): Pick<State, "terms" | "startUnknown"> {
  const terms = sameHex(handler, TWAP_HANDLER) ? tryDecodeTwap(staticInput) : null;
  if (terms === null || terms.t0 > 0n) return { terms, startUnknown: null };
  if (start !== null) return { terms: { ...terms, t0: start }, startUnknown: null };
  return {
    terms,
    startUnknown: "It began when it was created, a time that the node does not have",
  };
}

/**
 * Fetches the start of a programmatic order, which the contract stores in the state of a block.
 *
 * @param id Of the order; zero for the leaves of a Merkle tree.
 * @returns Unix seconds; `null` if the node does not return it.
 */
export async function fetchStart(
  ask: RpcNode,
  { owner, id, block }: {
    readonly owner: string;
    readonly id: string;
    readonly block: number | "latest";
  },
): Promise<bigint | null> {
  const [answer] = await ask([toHeaderCall(block)]);
  const header = readHeader(answer!, block === "latest" ? null : block, WANTED);
  if (header === null) return null;
  const calls = [{ to: COMPOSABLE_COW, name: "cabinet", args: [owner, id] }];
  const values = await readState(ask, header, { calls, wanted: WANTED });
  return !("reason" in values) && typeof values[0] === "bigint" ? values[0] : null;
}
