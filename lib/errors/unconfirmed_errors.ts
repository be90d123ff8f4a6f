import { HttpError } from "./http_errors.ts";
import { MismatchError } from "./mismatch_error.ts";
import { OrderlensError } from "./orderlens_error.ts";
import { hideSecrets, withoutSecrets } from "./secrets.ts";
import { UnansweredError } from "./unanswered_errors.ts";

/** What an {@linkcode UnconfirmedOrderError} carries. */
export interface UnconfirmedOrderOptions {
  /** UID of the order, computed from its own fields. */
  uid: string;
  /** Whether the order exists; `null` when that could not be found out. */
  exists: boolean | null;
  /** State of the order, when it exists. */
  status?: string;
  /** Why nobody knows from the answer itself. */
  cause: OrderlensError;
  /** Why looking the order up failed, when it did. */
  lookUpError?: unknown;
}

/**
 * Thrown when an order was sent and its answer was lost, failed inside the service, makes no sense or
 * names another UID: the order was then looked up by its own UID, and never sent a second time.
 *
 * The `cause` is the failure that left it open, with its own code: `network`, `timeout`, `http_status`,
 * `service`, `decode` or `mismatch`.
 */
export class UnconfirmedOrderError extends OrderlensError {
  /** Always `"unconfirmed"`; what left it open is the `cause`, with a code of its own. */
  override readonly code = "unconfirmed" as const;
  /** UID of the order. */
  readonly uid: string;
  /** Whether the order existed when it was looked up; `null` when that could not be found out. */
  readonly exists: boolean | null;
  /** State of the order when it was looked up; `null` when it was not found. */
  readonly status: string | null;
  /** Why looking the order up failed; `undefined` when it did not. */
  readonly lookUpError: unknown;

  /** Builds the error from what failed and what was found. */
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
        ? "Check the chain id and the settlement contract of the connection, which the UID follows from, and look up both UIDs before sending anything again"
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
    says: "no usable answer came, but the order exists",
    remedy: "Do not send it again; follow it by its UID",
  },
  false: {
    says: "no usable answer came, and the service has no such order",
    remedy:
      "Look the UID up again in a few seconds, since the request may still be on its way, before sending the same signed order again",
  },
  null: {
    says: "no usable answer came, and looking it up failed too",
    remedy:
      "Look the UID up before sending anything again; of the same signed order the service keeps one",
  },
} as const;

/** What an {@linkcode UnconfirmedCancellationError} carries. */
export interface UnconfirmedCancellationOptions {
  /** State of each order that was to be cancelled, by UID; `null` where it could not be found out. */
  statuses: ReadonlyMap<string, string | null>;
  /** Why nobody knows from the answer itself. */
  cause: OrderlensError;
  /** Why looking the orders up failed, when it did. */
  lookUpError?: unknown;
}

/**
 * Thrown when a cancellation was sent and its answer was lost, failed inside the service or makes no
 * sense: the orders were then looked up, and the cancellation was never sent a second time.
 *
 * The `cause` is the failure that left it open, with its own code: `network`, `timeout`, `http_status`,
 * `service` or `decode`.
 */
export class UnconfirmedCancellationError extends OrderlensError {
  /** Always `"unconfirmed"`; what left it open is the `cause`, with a code of its own. */
  override readonly code = "unconfirmed" as const;
  /**
   * State of each order that was to be cancelled, by its UID as it was given; `null` where it could
   * not be found out.
   */
  readonly statuses: ReadonlyMap<string, string | null>;
  /** Why looking the orders up failed; `undefined` when it did not. */
  readonly lookUpError: unknown;

  /** Builds the error from what failed and what was found. */
  constructor(options: UnconfirmedCancellationOptions) {
    const { statuses, cause, lookUpError } = options;
    const cancelled = [...statuses.values()].filter((status) => status === "cancelled").length;
    const isDone = cancelled === statuses.size;
    super(
      `Cannot confirm the cancellation of ${statuses.size} orders: no usable answer came, and ` +
        (lookUpError === undefined
          ? `${cancelled} of them are cancelled`
          : "looking them up failed too"),
      {
        facts: {
          because: firstLine(cause),
          states: countsOf(statuses.values()),
          ...(lookUpError === undefined ? {} : { "look-up": firstLine(lookUpError) }),
        },
        remedy: isDone
          ? "Do not send it again: all of them are cancelled"
          : "Look at `statuses`, and again in a few seconds, before sending a cancellation of those still open",
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
