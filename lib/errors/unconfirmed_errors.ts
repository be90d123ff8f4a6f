import { HttpError } from "./http_errors.ts";
import { MismatchError } from "./mismatch_error.ts";
import { OrderlensError } from "./orderlens_error.ts";
import { hideSecrets, withoutSecrets } from "./secrets.ts";
import { UnansweredError } from "./unanswered_errors.ts";

/** Options of an {@linkcode UnconfirmedOrderError}. */
export interface UnconfirmedOrderOptions {
  /** UID of the order, computed from its own fields. */
  uid: string;
  /** Whether the order exists; `null` if that could not be determined. */
  exists: boolean | null;
  /** Status of the order, if it exists. */
  status?: string;
  /** Why the answer itself does not tell. */
  cause: OrderlensError;
  /** Why looking up the order failed, if it did. */
  lookUpError?: unknown;
}

/**
 * Thrown when an order was sent but its answer was lost, reports an internal error, cannot be read
 * or names another UID. The order was then looked up by its own UID, and never sent a second time.
 *
 * The `cause` is the failure that left the outcome unknown, with its own code: `network`,
 * `timeout`, `http_status`, `service`, `decode` or `mismatch`.
 */
export class UnconfirmedOrderError extends OrderlensError {
  /** Always `"unconfirmed"`; the `cause` is the underlying failure, with its own code. */
  override readonly code = "unconfirmed" as const;
  /** UID of the order. */
  readonly uid: string;
  /** Whether the order existed when it was looked up; `null` if that could not be determined. */
  readonly exists: boolean | null;
  /** Status of the order when it was looked up; `null` if it was not found. */
  readonly status: string | null;
  /** Why looking up the order failed; `undefined` if it did not. */
  readonly lookUpError: unknown;

  /** Builds the error from the failure and the result of the lookup. */
  constructor(options: UnconfirmedOrderOptions) {
    const { uid, exists, status = null, cause, lookUpError } = options;
    super(`Cannot confirm the creation of order ${uid}: ${FOUND[`${exists}`].says}`, {
      facts: {
        ...requestOf(cause),
        because: firstLine(cause),
        ...(cause instanceof MismatchError ? { answered: cause.answered } : {}),
        exists: exists === null ? "unknown" : `${exists}`,
        ...(status === null ? {} : { status }),
        ...(lookUpError === undefined ? {} : { "look-up": firstLine(lookUpError) }),
      },
      remedy: exists !== true && cause instanceof MismatchError
        ? "Check the chain id and the settlement contract of the connection, which the UID depends on, and look up both UIDs before sending anything again"
        : FOUND[`${exists}`].remedy,
      cause,
    });
    this.uid = uid;
    this.exists = exists;
    this.status = status === null ? null : hideSecrets(status);
    this.lookUpError = withoutSecrets(lookUpError);
  }
}

const FOUND = {
  true: {
    says: "there was no usable answer, but the order exists",
    remedy: "Do not send it again; follow it by its UID",
  },
  false: {
    says: "there was no usable answer, and the service does not have the order",
    remedy:
      "Look up the UID again in a few seconds, since the request may still be in flight, before sending the same signed order again",
  },
  null: {
    says: "there was no usable answer, and looking up the order failed too",
    remedy:
      "Look up the UID before sending anything again; the service stores the same signed order only once",
  },
} as const;

/** Options of an {@linkcode UnconfirmedCancellationError}. */
export interface UnconfirmedCancellationOptions {
  /** Status of each order in the cancellation, by UID; `null` where it could not be determined. */
  statuses: ReadonlyMap<string, string | null>;
  /** Why the answer itself does not tell. */
  cause: OrderlensError;
  /** Why looking up the orders failed, if it did. */
  lookUpError?: unknown;
}

/**
 * Thrown when a cancellation was sent but its answer was lost, reports an internal error or cannot
 * be read. The orders were then looked up, and the cancellation was never sent a second time.
 *
 * The `cause` is the failure that left the outcome unknown, with its own code: `network`,
 * `timeout`, `http_status`, `service` or `decode`.
 */
export class UnconfirmedCancellationError extends OrderlensError {
  /** Always `"unconfirmed"`; the `cause` is the underlying failure, with its own code. */
  override readonly code = "unconfirmed" as const;
  /**
   * Status of each order in the cancellation, by its UID as passed; `null` where it could not be
   * determined.
   */
  readonly statuses: ReadonlyMap<string, string | null>;
  /** Why looking up the orders failed; `undefined` if it did not. */
  readonly lookUpError: unknown;

  /** Builds the error from the failure and the result of the lookup. */
  constructor(options: UnconfirmedCancellationOptions) {
    const { statuses, cause, lookUpError } = options;
    const cancelled = [...statuses.values()].filter((status) => status === "cancelled").length;
    const isDone = cancelled === statuses.size;
    super(
      `Cannot confirm the cancellation of ${statuses.size} orders: there was no usable answer, and ` +
        (lookUpError === undefined
          ? `${cancelled} of them are cancelled`
          : "looking up the orders failed too"),
      {
        facts: {
          because: firstLine(cause),
          states: countsOf(statuses.values()),
          ...(lookUpError === undefined ? {} : { "look-up": firstLine(lookUpError) }),
        },
        remedy: isDone
          ? "Do not send it again: all orders are cancelled"
          : "Check `statuses`, and look up the orders again in a few seconds, before cancelling those still open",
        cause,
      },
    );
    this.statuses = new Map(
      [...statuses].map(([uid, status]) => [uid, status === null ? null : hideSecrets(status)]),
    );
    this.lookUpError = withoutSecrets(lookUpError);
  }
}

function requestOf(cause: OrderlensError): { request?: string } {
  const isKnown = cause instanceof HttpError || cause instanceof UnansweredError ||
    cause instanceof MismatchError;
  return isKnown ? { request: cause.request } : {};
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split("\n", 1)[0] ?? text;
}

function countsOf(statuses: Iterable<string | null>): string {
  const counts = new Map<string, number>();
  for (const status of statuses) {
    const name = status ?? "unknown";
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => `${count} ${name}`).join(", ");
}
