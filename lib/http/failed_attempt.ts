import { NetworkError, OrderlensError, TimeoutError, type UnansweredError } from "../errors/mod.ts";
import { hideSecrets, hideSecretsDeep, redactUrls } from "../errors/secrets.ts";
import { onlyReads } from "./limits.ts";
import { type HttpRequest, requestLine } from "./transport.ts";

/** An attempt that got no complete answer. */
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
  /** What to do, where the fault is known. */
  readonly remedy?: string;
}

/** An attempt that timed out before the awaited answer or event arrived. */
export function timedOutAttempt(
  cause: unknown,
  timeoutMs: number,
  awaited: "answer" | "event" = "answer",
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
 * An attempt that failed with `error`, whose text is shown without secrets.
 *
 * @throws {unknown} The error itself if it is not a network fault: an error of this library, or a
 * bug in an injected `fetch`.
 */
export function failedBy(error: unknown): FailedAttempt {
  if (!(error instanceof Error) || error instanceof OrderlensError || isMistake(error)) {
    throw hideSecretsDeep(error);
  }
  const because = shownText(clauseOf(error)) || error.name;
  const failed = { code: "network", cause: shown(error), because } as const;
  const kind = UNSENT.find(({ sign }) => sign.test(`${error.name}: ${because}`)) ??
    (/\(Connect\)/.test(deepest(error).message) ? UNREACHED : undefined);
  return kind === undefined
    ? { ...failed, mayHaveBeenReceived: true, isTransient: true }
    : { ...failed, mayHaveBeenReceived: false, isTransient: kind.isTransient, remedy: kind.remedy };
}

/** The error to throw when no further attempt is made. */
export function unanswered(
  failed: FailedAttempt,
  request: HttpRequest,
  sent: { origin: string; attempts: number },
): UnansweredError {
  const { cause, because, mayHaveBeenReceived } = failed;
  const options = {
    request: requestLine(request),
    attempts: sent.attempts,
    mayHaveBeenReceived,
    facts: {
      because,
      ...(onlyReads(request) ? {} : { received: mayHaveBeenReceived ? "perhaps" : "no" }),
    },
    remedy: failed.remedy ?? remedyFor(failed, request),
    cause,
  };
  return failed.code === "timeout"
    ? new TimeoutError(`Waited too long for an answer from ${sent.origin}`, options)
    : new NetworkError(`Cannot get an answer from ${sent.origin}`, options);
}

interface Unsent {
  readonly isTransient: boolean;
  readonly remedy: string;
}

const UNREACHED: Unsent = {
  isTransient: true,
  remedy: "Check the address and that the service is running, then retry",
};

/** Messages of the runtime's `fetch` that mean that nothing was sent. */
const UNSENT: readonly (Unsent & { readonly sign: RegExp })[] = [
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

function remedyFor(failed: FailedAttempt, request: HttpRequest): string {
  if (!onlyReads(request)) {
    return "Check whether it took effect before sending it again";
  }
  return failed.code === "timeout"
    ? "Retry later, or pass a larger `timeoutMs`"
    : "Retry later; if it keeps failing, check the address and the network connection";
}

/** Programming errors, not network faults. */
function isMistake(error: Error): boolean {
  return error instanceof RangeError || error instanceof ReferenceError ||
    error instanceof SyntaxError;
}

function deepest(error: Error): Error {
  return error.cause instanceof Error ? deepest(error.cause) : error;
}

/** The last clause of the innermost message; the runtime puts addresses before it. */
function clauseOf(error: Error): string {
  const { message } = deepest(error);
  return message.split(/client error \(\w+\): /).at(-1) ?? message;
}

/** The error, or one without its stack and causes if a text of them has a secret. */
function shown(error: Error): Error {
  const causes = [error];
  for (let { cause } = error; cause instanceof Error && !causes.includes(cause);) {
    causes.push(cause);
    ({ cause } = cause);
  }
  const text = causes.map(({ message, stack }) => `${message}\n${stack}`).join("\n");
  if (shownText(text) === text) return error;
  const hidden = new Error(shownText(deepest(error).message));
  hidden.name = error.name;
  return hidden;
}

function shownText(text: string): string {
  return hideSecrets(redactUrls(text));
}
