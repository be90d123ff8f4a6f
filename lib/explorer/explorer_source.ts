import { IN_PROCESS_URL } from "../client/connect.ts";
import { reportDeployment } from "../reports/order/order_report.ts";
import { chooseTokenNetwork, readDeploymentTokens } from "../reports/page/node_tokens.ts";
import type { PageContent } from "../reports/page/page_content.ts";
import { connect, type DeployedFetch, type DeployedTransport, OrderBook } from "../client/mod.ts";
import type { Dataset } from "../datasets/mod.ts";
import type { NodeSource } from "../evm/mod.ts";
import { solverName } from "../networks/mod.ts";
import type { Deployment } from "../recordings/deployment.ts";
import type { RecordedSubjects } from "../recordings/mod.ts";
import type { TokenOptions } from "../tables/columns/lookups.ts";
import { HexMap } from "../units/mod.ts";
import type { PageFiles } from "./page_source.ts";

/**
 * The source that an explorer shows: a book that `connect` returns, a recording, an opened dataset, or the
 * sandbox.
 */
export type ExplorerSource = OrderBook | DeployedTransport | DeployedFetch;

/** A source, and what is known about it. */
export type OpenedSource = ReturnType<typeof openSource>;

/**
 * Opens a source.
 *
 * @param adaptPage Changes each of its pages. @default {pages stay as they are}
 * @throws {InputError} If nothing connects to it.
 */
export function openSource(
  source: ExplorerSource,
  adaptPage: (page: PageContent) => PageContent = (page) => page,
) {
  const original = source instanceof OrderBook ? source : connectTo(source);
  const { transport, network } = original;
  const dataset = findDataset(transport);
  // Where the lists note the auctions of settlements; nothing else looks there.
  const settledIn = dataset === null ? null : new Map<string, number>();
  const book = settledIn === null
    ? original
    : connect(resolveSettlements(transport, settledIn), { clock: original.clock });
  const recorded = "recorded" in transport ? transport.recorded as RecordedSubjects : null;
  const isFixed = dataset !== null || recorded !== null;
  const isLocal = isFixed || book.baseUrl === IN_PROCESS_URL;
  const facts = readDeployment(source instanceof OrderBook ? transport : source);
  const solvers = new HexMap(facts.solvers?.map(({ address, name }) => [address, name]) ?? []);
  const namedTokens = readDeploymentTokens(source instanceof OrderBook ? transport : source);
  const tokens: TokenOptions = {
    ...namedTokens,
    network: chooseTokenNetwork(reportDeployment(original), namedTokens),
  };
  return {
    book,
    /** Its name on pages. */
    name: network === null
      ? formatName(book.baseUrl)
      : `${network.name}${book.environment === "staging" ? ", staging" : ""}`,
    adaptPage,
    // A public deployment has no tables to add up.
    toHref: (path: string): string | null => isLocal || !SUMS.test(path) ? path : null,
    files: null as PageFiles | null,
    dataset,
    /** Contents of a recording. */
    recorded,
    /** Whether its answers never change. */
    isFixed,
    /** Whether asking it costs nobody anything: it is a recording, a dataset, or in this process. */
    isLocal,
    settledIn,
    /** A node of its own. */
    node: hasRpc(transport) ? transport : null,
    tokens,
    /** Addresses of the tokens that it names itself. */
    tokenAddresses: facts.tokens?.map(({ address }) => address) ?? [],
    /** Names of the solvers that it names itself, by address. */
    solvers,
    /** Name of a solver; `null` if it is unknown. */
    solverName: (address: string): string | null =>
      solvers.get(address) ?? (network === null ? null : solverName(network.name, address) ?? null),
  };
}

/** Pages that add up whole tables. */
const SUMS = /^\/(?:solvers|pairs|tokens)$/;

function connectTo(source: DeployedTransport | DeployedFetch): OrderBook {
  return "send" in source ? connect(source) : connect(source);
}

function formatName(url: string): string {
  return url === IN_PROCESS_URL ? "sandbox" : url.replace(/^(?:replay|dataset):\/\//, "");
}

function findDataset(transport: object): Dataset | null {
  const { folder, manifest } = Object(transport);
  return typeof folder === "string" && manifest !== undefined ? transport as Dataset : null;
}

/** Whether a source answers as a node does. */
export function hasRpc(transport: object): transport is Exclude<NodeSource, string | URL> {
  return "rpc" in transport && typeof transport.rpc === "function";
}

function readDeployment(source: object): Partial<Deployment> {
  return "deployment" in source ? source.deployment as Deployment | null ?? {} : {};
}

const BY_TRANSACTION = /^\/api\/v2\/solver_competition\/by_tx_hash\/(0x[0-9a-f]{64})$/i;

/**
 * A dataset whose competitions are found by their settlements without a search through its tables,
 * as soon as its lists are read.
 */
function resolveSettlements(
  dataset: DeployedTransport,
  auctions: ReadonlyMap<string, number>,
): DeployedTransport {
  return {
    baseUrl: dataset.baseUrl,
    deployment: dataset.deployment ?? null,
    send(request) {
      const hash = BY_TRANSACTION.exec(request.path)?.[1];
      const auction = hash === undefined ? undefined : auctions.get(hash.toLowerCase());
      const path = auction === undefined ? request.path : `/api/v2/solver_competition/${auction}`;
      return dataset.send({ ...request, path });
    },
  };
}
