import { NetworkError, OrderlensError, TimeoutError, type UnansweredError } from "../errors/mod.ts";
import { hideSecrets, hideSecretsDeep, redactUrls } from "../errors/secrets.ts";
import { isReadOnly } from "./limits.ts";
import { type HttpRequest, requestLine } from "./transport.ts";

/** An attempt that got no complete response. */
export interface FailedAttempt {
  /** Whether the attempt timed out or the connection failed. */
  readonly code: "timeout" | "network";
  /** The underlying error. */
  readonly cause: unknown;
  /** The reason, as one clause. */
  readonly because: string;
  /** Whether the request may have reached the server. */
  readonly mayHaveBeenReceived: boolean;
  /** Whether the next attempt may succeed. */
  readonly isTransient: boolean;
  /** Remedy, if the fault is known. */
  readonly remedy?: string;
}

/** Describes an attempt that timed out before the awaited response or event arrived. */
export function toTimeout(
  cause: unknown,
  timeoutMs: number,
  awaited: "response" | "event" = "response",
): FailedAttempt {
  return {
    code: "timeout",
    cause,
    because: `no complete ${awaited} within ${timeoutMs} ms`,
    mayHaveBeenReceived: true,
    isTransient: true,
  };
}

/**
 * Describes an attempt that failed with `error`, whose text is shown without secrets.
 *
 * @throws {unknown} The error itself if it is not a network fault: an error of this library, or a
 * bug in an injected `fetch`.
 */
export function toFailure(error: unknown): FailedAttempt {
  if (!(error instanceof Error) || error instanceof OrderlensError || isMistake(error)) {
    throw hideSecretsDeep(error);
  }
  const because = redactText(extractClause(error)) || error.name;
  const base = { code: "network", cause: redactError(error), because } as const;
  const kind = UNSENT_KINDS.find(({ sign }) => sign.test(`${error.name}: ${because}`)) ??
    (/\(Connect\)/.test(findRootCause(error).message) ? UNREACHED : undefined);
  return kind === undefined
    ? { ...base, mayHaveBeenReceived: true, isTransient: true }
    : { ...base, mayHaveBeenReceived: false, isTransient: kind.isTransient, remedy: kind.remedy };
}

/** Builds the error to throw when no further attempt is made. */
export function toUnanswered(
  attempt: FailedAttempt,
  request: HttpRequest,
  target: { origin: string; attempts: number },
): UnansweredError {
  const { cause, because, mayHaveBeenReceived } = attempt;
  const options = {
    request: requestLine(request),
    attempts: target.attempts,
    mayHaveBeenReceived,
    facts: {
      because,
      ...(isReadOnly(request) ? {} : { received: mayHaveBeenReceived ? "perhaps" : "no" }),
    },
    remedy: attempt.remedy ?? chooseRemedy(attempt, request),
    cause,
  };
  return attempt.code === "timeout"
    ? new TimeoutError(`Timed out waiting for a response from ${target.origin}`, options)
    : new NetworkError(`Cannot get a response from ${target.origin}`, options);
}

interface UnsentKind {
  readonly isTransient: boolean;
  readonly remedy: string;
}

const UNREACHED: UnsentKind = {
  isTransient: true,
  remedy: "Check the address and that the service is running, then retry",
};

/** Messages of the runtime's `fetch` that mean that nothing was sent. */
const UNSENT_KINDS: readonly (UnsentKind & { readonly sign: RegExp })[] = [
  {
    sign: /^(NotCapable|PermissionDenied):/,
    isTransient: false,
    remedy: "Run with `--allow-net` for this host",
  },
  {
    sign: /Requests to port \d+ are blocked/,
    isTransient: false,
    remedy: "Use another port: `fetch` blocks this one",
  },
  {
    sign: /certificate|corrupt message of type|received fatal alert/i,
    isTransient: false,
    remedy: "Check that the server uses TLS and that this machine trusts its certificate",
  },
];

function chooseRemedy(attempt: FailedAttempt, request: HttpRequest): string {
  if (!isReadOnly(request)) {
    return "Check whether it took effect before sending it again";
  }
  return attempt.code === "timeout"
    ? "Retry later, or pass a larger `timeoutMs`"
    : "Retry later; if it keeps failing, check the address and the network connection";
}

/** Programming errors, not network faults. */
function isMistake(error: Error): boolean {
  return error instanceof RangeError || error instanceof ReferenceError ||
    error instanceof SyntaxError;
}

function findRootCause(error: Error): Error {
  return error.cause instanceof Error ? findRootCause(error.cause) : error;
}

/** Extracts the last clause of the innermost message; the runtime puts addresses before it. */
function extractClause(error: Error): string {
  const { message } = findRootCause(error);
  return message.split(/client error \(\w+\): /).at(-1) ?? message;
}

/** Returns the error, or one without its stack and causes if their text has a secret. */
function redactError(error: Error): Error {
  const causes = [error];
  for (let { cause } = error; cause instanceof Error && !causes.includes(cause);) {
    causes.push(cause);
    ({ cause } = cause);
  }
  const text = causes.map(({ message, stack }) => `${message}\n${stack}`).join("\n");
  if (redactText(text) === text) return error;
  const hidden = new Error(redactText(findRootCause(error).message));
  hidden.name = error.name;
  return hidden;
}

function redactText(text: string): string {
  return hideSecrets(redactUrls(text));
}
