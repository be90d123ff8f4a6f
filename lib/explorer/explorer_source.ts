import { IN_PROCESS_URL } from "../client/connect.ts";
import { connect, type DeployedFetch, type DeployedTransport, OrderBook } from "../client/mod.ts";
import type { DatasetFile } from "../datasets/mod.ts";
import type { NodeSource } from "../evm/mod.ts";
import type { HttpRequest, HttpResponse } from "../http/mod.ts";
import { solverName } from "../networks/mod.ts";
import type { Deployment } from "../recordings/deployment.ts";
import type { Recorded } from "../recordings/mod.ts";
import type { Competition, Order, Trade } from "../schemas/mod.ts";
import type { TokenOptions } from "../tables/columns/lookups.ts";
import { HexMap } from "../units/mod.ts";

/**
 * What an explorer shows: a book that `connect` returns, a recording, an opened dataset, or the
 * sandbox.
 */
export type ExplorerSource = OrderBook | DeployedTransport | DeployedFetch;

/** The records of a dataset, as iterables. */
export interface DatasetRecords {
  /** Its folder. */
  readonly folder: string;
  /** Its manifest, whose files tell whether it has several environments. @default {it has one} */
  readonly manifest?: { readonly files: readonly DatasetFile[] } | undefined;
  /** All orders. */
  orders(): AsyncIterable<Order>;
  /** All fills. */
  trades(): AsyncIterable<Trade>;
  /** All competitions. */
  competitions(): AsyncIterable<Competition>;
}

/** A source, and what is known about it. */
export interface OpenedSource {
  /** The book that answers. */
  readonly book: OrderBook;
  /** What it is called on pages. */
  readonly name: string;
  /** The dataset; `null` if it is none. */
  readonly dataset: DatasetRecords | null;
  /** What a recording has; `null` if it is none. */
  readonly recorded: Recorded | null;
  /** Whether its answers never change. */
  readonly isFixed: boolean;
  /** Whether asking it costs nobody anything: it is a recording, a dataset, or in this process. */
  readonly isLocal: boolean;
  /** Where the lists note the auctions of settlements; `null` if nothing looks there. */
  readonly settledIn: Map<string, number> | null;
  /** A node of its own; `null` without one. */
  readonly node: NodeSource | null;
  /** Facts of tokens. */
  readonly tokens: TokenOptions;
  /** Symbols of the tokens that it names, by address. */
  readonly symbols: ReadonlyMap<string, string>;
  /** Names of solvers that it names, by address. */
  readonly solvers: ReadonlyMap<string, string>;
  /** Name of a solver; `null` if it is unknown. */
  solverName(address: string): string | null;
}

/** Opens a source. @throws {InputError} If nothing connects to it. */
export function openSource(source: ExplorerSource): OpenedSource {
  const given = source instanceof OrderBook ? source : connectTo(source);
  const { transport, network } = given;
  const dataset = datasetOf(transport);
  const known = dataset === null ? null : new KnownSettlements(transport);
  const book = known === null ? given : connect(known, { clock: given.clock });
  const recorded = recordedOf(transport);
  const facts = factsOf(source instanceof OrderBook ? transport : source);
  const symbols = new HexMap(facts.tokens?.map(({ address, symbol }) => [address, symbol]) ?? []);
  const decimals = new HexMap(
    facts.tokens?.map(({ address, decimals }) => [address, decimals]) ?? [],
  );
  const solvers = new HexMap(facts.solvers?.map(({ address, name }) => [address, name]) ?? []);
  return {
    book,
    name: network === null
      ? nameOf(book.baseUrl)
      : `${network.name}${book.environment === "staging" ? ", staging" : ""}`,
    dataset,
    recorded,
    isFixed: dataset !== null || recorded !== null,
    isLocal: dataset !== null || recorded !== null || book.baseUrl === IN_PROCESS_URL,
    settledIn: known?.auctions ?? null,
    node: hasRpc(transport) ? transport : null,
    tokens: { decimals, symbols, ...network !== null && { network: network.name } },
    symbols,
    solvers,
    solverName: (address) =>
      solvers.get(address) ?? (network === null ? null : solverName(network.name, address) ?? null),
  };
}

function connectTo(source: DeployedTransport | DeployedFetch): OrderBook {
  return "send" in source ? connect(source) : connect(source);
}

function nameOf(url: string): string {
  return url === IN_PROCESS_URL ? "sandbox" : url.replace(/^(?:replay|dataset):\/\//, "");
}

function datasetOf(transport: object): DatasetRecords | null {
  const isDataset = ["orders", "trades", "competitions"].every((name) =>
    name in transport && typeof Reflect.get(transport, name) === "function"
  );
  return isDataset && "folder" in transport ? transport as DatasetRecords : null;
}

function recordedOf(transport: object): Recorded | null {
  return "recorded" in transport ? transport.recorded as Recorded : null;
}

/** Whether a source answers as a node does. */
export function hasRpc(transport: object): transport is Exclude<NodeSource, string | URL> {
  return "rpc" in transport && typeof transport.rpc === "function";
}

function factsOf(source: object): Partial<Deployment> {
  return "deployment" in source ? source.deployment as Deployment | null ?? {} : {};
}

const BY_TRANSACTION = /^\/api\/v2\/solver_competition\/by_tx_hash\/(0x[0-9a-f]{64})$/i;

/**
 * A dataset whose competitions are found by their settlements without a search through its tables,
 * as soon as its lists are read.
 */
class KnownSettlements implements DeployedTransport {
  /** Auctions by settlement, as far as they are known. */
  readonly auctions = new Map<string, number>();
  readonly #dataset: DeployedTransport;

  /** Knows no settlement yet. */
  constructor(dataset: DeployedTransport) {
    this.#dataset = dataset;
  }

  /** URL of the dataset. */
  get baseUrl(): string {
    return this.#dataset.baseUrl;
  }

  /** Facts of its deployment. */
  get deployment(): NonNullable<DeployedTransport["deployment"]> | null {
    return this.#dataset.deployment ?? null;
  }

  /** Answers a request. */
  send(request: HttpRequest): Promise<HttpResponse> {
    const hash = BY_TRANSACTION.exec(request.path)?.[1];
    const auction = hash === undefined ? undefined : this.auctions.get(hash.toLowerCase());
    return this.#dataset.send(
      auction === undefined
        ? request
        : { ...request, path: `/api/v2/solver_competition/${auction}` },
    );
  }
}
