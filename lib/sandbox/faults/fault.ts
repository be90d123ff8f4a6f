import type { Operation } from "../wire/operations.ts";

/** What can go wrong on request. */
export type FaultKind =
  /** The answer takes `ms` longer. */
  | "latency"
  /** 429, with `Retry-After` where `retryAfterSec` is given. */
  | "rateLimited"
  /** 500 with the service's body. */
  | "serverError"
  /** The connection ends without an answer. */
  | "reset"
  /** The body ends in its middle. */
  | "truncated"
  /** 503 with a page for people. */
  | "html"
  /** The body comes in pieces over `ms`. */
  | "slowBody"
  /** A page begins a row too early, so that a row comes twice. */
  | "duplicateRows"
  /** A page begins a row too late, so that a row is missing. */
  | "shiftedRows"
  /** 404 for an auction that was held. */
  | "missingCompetition"
  /** Objects have fields that nobody knows. */
  | "unknownFields"
  /** Statuses, labels and classes are words that nobody knows. */
  | "unknownValues";

/** A fault that is asked for. */
export interface FaultOptions {
  /** What goes wrong. */
  readonly kind: FaultKind;
  /** Operations that it hits. @default {all of them} */
  readonly operation?: Operation | readonly Operation[];
  /** Share of the requests that it hits, from 0 to 1. @default {1} */
  readonly rate?: number;
  /** How many requests it hits at most. @default {any number} */
  readonly times?: number;
  /** How long `latency` and `slowBody` take, in milliseconds. @default {100} */
  readonly ms?: number;
  /** What `rateLimited` says to wait, in seconds. @default {it does not say} */
  readonly retryAfterSec?: number;
}

/** A fault that was asked for. */
export interface SandboxFault {
  /** How many requests it has hit. */
  readonly hits: number;
  /** Ends it. */
  remove(): void;
}
