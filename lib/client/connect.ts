import { InputError } from "../errors/mod.ts";
import { checkOptions, describeValue } from "../errors/option_rules.ts";
import {
  httpTransport,
  type HttpTransportOptions,
  systemClock,
  type Transport,
} from "../http/mod.ts";
import { isNetworkName, parseNetworkName } from "../networks/explorer_url.ts";
import type { Environment, Network, NetworkName } from "../networks/network.ts";
import { NETWORKS } from "../networks/networks.ts";
import {
  type AddressOptions,
  CONNECT_OPTIONS,
  type DeployedFetch,
  type DeployedTransport,
  DEPLOYMENT_OPTIONS,
  type DeploymentFacts,
  type DeploymentOptions,
  IN_PROCESS_OPTIONS,
  type InProcessOptions,
  type NetworkOptions,
} from "./connect_options.ts";
import { OrderBook, type OrderBookParts } from "./order_book.ts";

/** URL of requests to an in-process order book; nothing is ever sent there. */
export const IN_PROCESS_URL = "http://orderbook.localhost";

type AnyOptions = Partial<NetworkOptions & AddressOptions>;

/**
 * Connects to the order book of a public network.
 *
 * Nothing is sent, and no permission is needed, before the first call.
 *
 * @param network Name of the network.
 * @param options Environment and transport options: headers, limits, timeouts, a cache folder.
 * @throws {InputError} If the network is unknown (where types are not checked), or an option is
 *   invalid.
 * @example
 * ```ts
 * import { connect } from "orderlens";
 * import { assertEquals } from "@std/assert";
 *
 * const book = connect("xdai");
 * const barn = connect("xdai", { environment: "staging" });
 *
 * assertEquals(book.chainId, 100);
 * assertEquals(book.baseUrl, "https://api.cow.fi/xdai");
 * assertEquals(barn.baseUrl, "https://barn.api.cow.fi/xdai");
 * ```
 */
export function connect(network: NetworkName, options?: NetworkOptions): OrderBook;
/**
 * Connects to a recording or another transport.
 *
 * @param transport A transport, for example from `replay`.
 * @param options Chain id and settlement contract, if the transport does not provide them.
 * @throws {InputError} If neither provides them.
 * @example
 * ```ts
 * import { connect } from "orderlens";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const book = connect(await replay("market_1"));
 *
 * assertEquals(book.settlementContract, "0xa513e6e4b8f2a923d98304ec87f64353c4d5c853");
 * ```
 */
export function connect(transport: DeployedTransport, options?: DeploymentOptions): OrderBook;
/**
 * Connects to an order book in the same process, through its own `fetch`.
 *
 * @param deployment Its `fetch` and the facts of its deployment.
 * @param options Transport options; the rate is unlimited unless `rateLimit` is set.
 * @throws {InputError} If an option is invalid.
 * @example
 * ```ts
 * import { connect } from "orderlens";
 * import { assertEquals } from "@std/assert";
 *
 * const book = connect({
 *   fetch: (url) => Promise.resolve(new Response(`requested ${new URL(url).pathname}`)),
 *   deployment: { chainId: 1, settlementContract: `0x${"90".repeat(20)}` },
 * });
 *
 * assertEquals(await book.version(), "requested /api/v1/version");
 * ```
 */
export function connect(deployment: DeployedFetch, options?: InProcessOptions): OrderBook;
/**
 * Connects to any deployment by its URL.
 *
 * @param url URL that `/api/v1/…` is appended to.
 * @param options Chain id, settlement contract if it is not the public one, and transport options.
 * @throws {InputError} If the URL or an option is invalid.
 * @example
 * ```ts
 * import { connect } from "orderlens";
 * import { assertEquals } from "@std/assert";
 *
 * const book = connect("http://127.0.0.1:8080", {
 *   chainId: 100,
 *   settlementContract: "0xa513e6e4b8f2a923d98304ec87f64353c4d5c853",
 * });
 *
 * assertEquals(book.domain.chainId, 100);
 * ```
 */
export function connect(url: string | URL, options: AddressOptions): OrderBook;
export function connect(
  target: string | URL | DeployedTransport | DeployedFetch,
  options: AnyOptions = {},
): OrderBook {
  if (typeof target === "string" || target instanceof URL) {
    checkOptions(options, CONNECT_OPTIONS, "Cannot connect");
  }
  if (typeof target === "string" && isNetworkName(target)) return connectToNetwork(target, options);
  if (target instanceof URL) return connectToUrl(target.href, options);
  if (typeof target === "string") {
    if (target.includes("://")) return connectToUrl(target, options);
    if (options.chainId === undefined) return connectToNetwork(parseNetworkName(target), options);
    throw new InputError(
      `Cannot connect to ${JSON.stringify(target)}: neither a network name nor a URL`,
      {
        remedy:
          "Pass the name of a network, or a URL with its scheme, for example http://127.0.0.1:8080",
      },
    );
  }
  return connectToDeployment(target, options);
}

function connectToNetwork(name: NetworkName, options: AnyOptions): OrderBook {
  const network = NETWORKS[name];
  const { environment = "production", chainId = network.chainId, settlementContract } = options;
  if (chainId !== network.chainId) {
    throw new InputError(`Cannot connect to ${name} with chain id ${chainId}`, {
      remedy: `Omit chainId: ${name} has chain id ${network.chainId}`,
    });
  }
  return createBook(options, {
    transport: httpTransport(network.api[environment], pickSendingOptions(options)),
    network,
    environment,
    chainId,
    settlementContract: settlementContract ?? chooseSettlementContract(network, environment),
  });
}

/** Creates a book with the clock of the options, without a network unless its parts have one. */
function createBook(
  { clock = systemClock }: AnyOptions,
  parts: Partial<OrderBookParts> & Pick<OrderBookParts, "transport" | keyof DeploymentFacts>,
): OrderBook {
  return new OrderBook({ network: null, environment: null, clock, ...parts });
}

/** Chooses the default settlement contract of a network. */
export function chooseSettlementContract({ contracts }: Network, environment: Environment): string {
  const { production, staging } = contracts.settlement;
  return environment === "production" ? production : staging.newer;
}

function connectToUrl(url: string, options: AnyOptions): OrderBook {
  const transport = httpTransport(url, pickSendingOptions(options));
  const { chainId, settlementContract, environment } = options;
  if (chainId === undefined || environment !== undefined) {
    const isMissing = chainId === undefined;
    throw new InputError(
      `Cannot connect to ${transport.baseUrl} ${isMissing ? "without" : "with"} ${
        isMissing ? "its chain id" : "an environment"
      }`,
      {
        remedy:
          "Pass { chainId } and no environment: a URL is one deployment and does not include its chain",
      },
    );
  }
  return createBook(options, {
    transport,
    chainId,
    settlementContract: settlementContract ??
      chooseSettlementContract(NETWORKS.mainnet, "production"),
  });
}

function connectToDeployment(
  target: DeployedTransport | DeployedFetch,
  options: InProcessOptions,
): OrderBook {
  const transport = createTransport(target, options);
  const facts: Partial<DeploymentFacts> = target.deployment ?? {};
  const { chainId = facts.chainId, settlementContract = facts.settlementContract } = options;
  if (chainId === undefined || settlementContract === undefined) {
    throw new InputError(
      `Cannot connect to ${transport.baseUrl}: its deployment is unknown`,
      { remedy: "Pass { chainId, settlementContract } as the second argument" },
    );
  }
  const targetClock = "clock" in target ? target.clock : undefined;
  const clock = options.clock ?? targetClock;
  return createBook(clock === undefined ? {} : { clock }, {
    transport,
    chainId,
    settlementContract,
  });
}

function createTransport(
  target: DeployedTransport | DeployedFetch,
  options: InProcessOptions,
): Transport {
  if (typeof target === "object" && target !== null) {
    if ("send" in target) {
      checkOptions<DeploymentOptions>(options, DEPLOYMENT_OPTIONS, "Cannot connect to a transport");
      return target;
    }
    if ("fetch" in target) {
      checkOptions(options, IN_PROCESS_OPTIONS, "Cannot connect to an in-process order book");
      const { clock, deployment } = target;
      const transport = httpTransport(IN_PROCESS_URL, {
        // There are no other clients, and randomness would make runs in virtual time differ.
        ...(clock === undefined ? {} : { clock, random: () => 0.5 }),
        ...pickSendingOptions(options),
        fetch: (url, init) => target.fetch(url, init),
      });
      // Reports read the names of its solvers there.
      return Object.assign(transport, { deployment });
    }
  }
  throw new InputError(`Cannot connect to ${describeValue(target)}`, {
    remedy: "Pass the name of a network, a URL, a transport or an in-process order book",
  });
}

/** Picks the transport options; the transport accepts no others. */
function pickSendingOptions(options: AnyOptions): HttpTransportOptions {
  const { environment: _, chainId: __, settlementContract: ___, ...sending } = options;
  return sending;
}
