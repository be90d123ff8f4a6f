import { oneOf, type OptionRules, rule, TEXT } from "../errors/option_rules.ts";
import { SENDING_OPTIONS } from "../http/http_transport_options.ts";
import type { Clock, Fetch, HttpTransportOptions, Transport } from "../http/mod.ts";
import type { Environment } from "../networks/mod.ts";

/** Options of a connection to a public network. */
export interface NetworkOptions extends HttpTransportOptions {
  /** Which of the network's two deployments. @default {"production"} */
  environment?: Environment;
  /**
   * Settlement contract that orders are signed for.
   *
   * @default {the environment's own; in staging the one in use since 2026}
   */
  settlementContract?: string;
}

/** Options of a connection to an address. */
export interface AddressOptions extends HttpTransportOptions {
  /** Chain id of the deployment: an address does not tell it. */
  chainId: number;
  /** Settlement contract that orders are signed for. @default {that of the public networks} */
  settlementContract?: string;
}

/** Options of a connection to a transport. */
export interface DeploymentOptions {
  /** Chain id. @default {what the deployment says of itself} */
  chainId?: number;
  /** Settlement contract that orders are signed for. @default {what the deployment says of itself} */
  settlementContract?: string;
  /** Where time comes from. @default {the deployment's own clock, or the machine's} */
  clock?: Clock;
}

/**
 * Options of a connection to an order book in the process. No folder keeps its answers: every one has
 * the same address.
 */
export interface InProcessOptions
  extends DeploymentOptions, Omit<HttpTransportOptions, "fetch" | "rootUrl" | "cacheFolder"> {}

/** What a deployment must say of itself, so that its orders can be signed and their UIDs computed. */
export interface DeploymentFacts {
  /** Chain id. */
  readonly chainId: number;
  /** Settlement contract that orders are signed for. */
  readonly settlementContract: string;
}

/** A transport that may know which deployment it leads to, as a replay does. */
export interface DeployedTransport extends Transport {
  /** Facts of the deployment; `null` or absent when they are not known. */
  readonly deployment?: DeploymentFacts | null;
}

/** An order book in the same process that answers requests through a `fetch` of its own. */
export interface DeployedFetch {
  /** Answers a request. */
  readonly fetch: Fetch;
  /** Facts of the deployment. */
  readonly deployment: DeploymentFacts;
  /**
   * Its time, where it is not the machine's: by it quotes expire, orders are watched, and requests that
   * failed are repeated.
   */
  readonly clock?: Clock;
}

const FACTS = {
  chainId: rule<number>("a chain id", (value) => typeof value === "number"),
  settlementContract: TEXT,
};

/** What each option of a connection to a network or an address may be. */
export const CONNECT_OPTIONS: OptionRules<NetworkOptions & AddressOptions> = {
  ...SENDING_OPTIONS,
  ...FACTS,
  environment: oneOf("production", "staging"),
};

/** What each of the {@linkcode DeploymentOptions} may be. */
export const DEPLOYMENT_OPTIONS: OptionRules<DeploymentOptions> = {
  ...FACTS,
  clock: SENDING_OPTIONS.clock,
};

const { fetch: _fetch, rootUrl: _rootUrl, cacheFolder: _cacheFolder, ...inProcess } =
  SENDING_OPTIONS;

/** What each of the {@linkcode InProcessOptions} may be. */
export const IN_PROCESS_OPTIONS: OptionRules<InProcessOptions> = { ...inProcess, ...FACTS };
