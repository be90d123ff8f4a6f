import { CONCURRENCY } from "../../endpoints/calls.ts";
import { type OptionRules, SIGNAL } from "../../errors/option_rules.ts";
import type { HttpTransportOptions } from "../../http/mod.ts";
import { SENDING_OPTIONS } from "../../http/settings.ts";

/** Options of requests to a node: those of a transport, `concurrency`, and a signal. */
export interface RpcOptions extends Omit<HttpTransportOptions, "rootUrl" | "cacheFolder"> {
  /**
   * Maximum number of concurrent requests, from 1 to 64; later ones start after the first is answered.
   *
   * @default {4}
   */
  readonly concurrency?: number;
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Options of requests whose answers can be cached on disk. */
export interface CachedRpcOptions extends RpcOptions {
  /**
   * Folder in which answers are cached, created when needed. Networks and processes may share it.
   * Each batch is stored as soon as it is answered, so an interrupted call resumes where it stopped.
   *
   * @default {none; nothing is written}
   */
  readonly cacheFolder?: string;
}

const { rootUrl: _, ...SENT } = SENDING_OPTIONS;

/** Allowed values of the {@linkcode CachedRpcOptions}. */
export const CACHED_RPC_OPTIONS: OptionRules<CachedRpcOptions> = {
  ...SENT,
  concurrency: CONCURRENCY,
  signal: SIGNAL,
};

const { cacheFolder: _folder, ...ASKED } = CACHED_RPC_OPTIONS;

/** Allowed values of the {@linkcode RpcOptions}. */
export const RPC_OPTIONS: OptionRules<RpcOptions> = ASKED;

/** Method for logs. */
export const GET_LOGS = "eth_getLogs";
