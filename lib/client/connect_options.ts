import {
  DecodeError,
  HttpError,
  MismatchError,
  NoOrderBookError,
  type OrderlensError,
  RateLimitedError,
  UnansweredError,
} from "../errors/mod.ts";
import { defineRule, oneOf, type OptionRules } from "../errors/option_rules.ts";
import type { Clock, Fetch, HttpTransportOptions, Transport } from "../http/mod.ts";
import { SENDING_OPTIONS } from "../http/settings.ts";
import type { Environment } from "../networks/network.ts";

/** Options of a connection to a public network. */
export interface NetworkOptions extends HttpTransportOptions {
  /** Deployment of the network. @default {"production"} */
  environment?: Environment;
  /**
   * Settlement contract that orders are signed for.
   *
   * @default {the environment's own; in staging the one in use since 2026}
   */
  settlementContract?: string;
}

/** Options of a connection to a URL. */
export interface AddressOptions extends HttpTransportOptions {
  /** Chain id of the deployment, which the URL does not include. */
  chainId: number;
  /** Settlement contract that orders are signed for. @default {that of the public networks} */
  settlementContract?: string;
}

/** Options of a connection to a transport. */
export interface DeploymentOptions {
  /** Chain id. @default {the deployment's own} */
  chainId?: number;
  /** Settlement contract that orders are signed for. @default {the deployment's own} */
  settlementContract?: string;
  /** Source of time. @default {the deployment's own clock, or the machine's} */
  clock?: Clock;
}

/**
 * Options of a connection to an in-process order book. Its responses are not cached on disk, since
 * all such order books have the same URL.
 */
export interface InProcessOptions
  extends DeploymentOptions, Omit<HttpTransportOptions, "fetch" | "rootUrl" | "cacheFolder"> {}

/** Facts of a deployment that are needed to sign its orders and compute their UIDs. */
export interface DeploymentFacts {
  /** Chain id. */
  readonly chainId: number;
  /** Settlement contract that orders are signed for. */
  readonly settlementContract: string;
}

/** A transport that may know its deployment, such as a replay. */
export interface DeployedTransport extends Transport {
  /** Facts of the deployment; `null` or absent if they are unknown. */
  readonly deployment?: DeploymentFacts | null;
}

/** An order book in the same process that answers requests through its own `fetch`. */
export interface DeployedFetch {
  /** Answers a request. */
  readonly fetch: Fetch;
  /** Facts of the deployment. */
  readonly deployment: DeploymentFacts;
  /**
   * Its clock, if it is not the system clock: it decides when quotes expire, orders are polled, and
   * failed requests are retried.
   */
  readonly clock?: Clock;
}

const FACTS = {
  chainId: defineRule<number>("a chain id", (value) => typeof value === "number"),
  settlementContract: String,
};

/** Allowed values of the options of a connection to a network or a URL. */
export const CONNECT_OPTIONS: OptionRules<NetworkOptions & AddressOptions> = {
  ...SENDING_OPTIONS,
  ...FACTS,
  environment: oneOf("production", "staging"),
};

/** Allowed values of the {@linkcode DeploymentOptions}. */
export const DEPLOYMENT_OPTIONS: OptionRules<DeploymentOptions> = {
  ...FACTS,
  clock: SENDING_OPTIONS.clock,
};

const { fetch: _fetch, rootUrl: _rootUrl, cacheFolder: _cacheFolder, ...inProcess } =
  SENDING_OPTIONS;

/** Allowed values of the {@linkcode InProcessOptions}. */
export const IN_PROCESS_OPTIONS: OptionRules<InProcessOptions> = { ...inProcess, ...FACTS };

/**
 * Whether a failure leaves the outcome unknown: the response was lost, reports an internal error, or
 * reports success in an unreadable form or about something else.
 */
export function isOutcomeUnknown(error: unknown): error is OrderlensError {
  if (error instanceof UnansweredError) return error.mayHaveBeenReceived;
  if (error instanceof HttpError) {
    const { status } = error;
    return status === null || status >= 500 || (status >= 200 && status < 300);
  }
  return error instanceof DecodeError || error instanceof MismatchError;
}

/**
 * Whether a failed read may succeed later, after the transport has given up: there was no response,
 * an unreadable one, or one that reports too many requests or an internal error.
 */
export function isTransient(error: unknown): error is OrderlensError {
  if (error instanceof UnansweredError || error instanceof RateLimitedError) return true;
  return error instanceof HttpError && isOutcomeUnknown(error);
}

/**
 * Whether a failed read may succeed later at a deployment that has responded before: like
 * {@linkcode isTransient}, and after the 404 of a gateway, which does not mean a wrong address there.
 */
export function isTransientOnceReached(error: unknown): error is OrderlensError {
  return isTransient(error) || error instanceof NoOrderBookError;
}
