import type { Operation } from "../wire/operations.ts";

/** The kinds of faults that can be injected. */
export type FaultKind =
  /** The response takes `ms` longer. */
  | "latency"
  /** 429, with `Retry-After` where `retryAfterSec` is given. */
  | "rateLimited"
  /** 500 with the service's body. */
  | "serverError"
  /** The connection closes without a response. */
  | "reset"
  /** The body is cut off. */
  | "truncated"
  /** 503 with an HTML page. */
  | "html"
  /** The body arrives in chunks over `ms`. */
  | "slowBody"
  /** A page starts one row early, so a row is repeated. */
  | "duplicateRows"
  /** A page starts one row late, so a row is missing. */
  | "shiftedRows"
  /** 404 for an auction that was held. */
  | "missingCompetition"
  /** Objects have unknown fields. */
  | "unknownFields"
  /** Statuses, labels and classes have unknown values. */
  | "unknownValues";

/** A fault to inject. */
export interface FaultOptions {
  /** What goes wrong. */
  readonly kind: FaultKind;
  /** Operations that it affects. @default {all} */
  readonly operation?: Operation | readonly Operation[];
  /** Share of requests that it affects, from 0 to 1. @default {1} */
  readonly rate?: number;
  /** Maximum number of requests that it affects. @default {no limit} */
  readonly times?: number;
  /** How long `latency` and `slowBody` take, in milliseconds. @default {100} */
  readonly ms?: number;
  /** `Retry-After` of `rateLimited`, in seconds. @default {no header} */
  readonly retryAfterSec?: number;
}

/** An injected fault. */
export interface SandboxFault {
  /** Number of requests affected so far. */
  readonly hits: number;
  /** Ends it. */
  remove(): void;
}
