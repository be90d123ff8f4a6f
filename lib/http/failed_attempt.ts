import { NetworkError, OrderlensError, TimeoutError, type UnansweredError } from "../errors/mod.ts";
import { hideSecrets, withoutSecrets } from "../errors/secrets.ts";
import { onlyReads } from "./may_repeat.ts";
import { redact } from "./redact.ts";
import { requestLine } from "./request_line.ts";
import type { HttpRequest } from "./transport.ts";

/** An attempt that brought no whole answer. */
export interface FailedAttempt {
  /** Whether time was up or the connection failed. */
  readonly code: "timeout" | "network";
  /** What the lower layer says. */
  readonly cause: unknown;
  /** One clause about why. */
  readonly because: string;
  /** Whether the request may have reached the other side. */
  readonly mayHaveBeenReceived: boolean;
  /** Whether the next attempt may fare better. */
  readonly isTransient: boolean;
  /** What to do about it, where the fault is known. */
  readonly remedy?: string;
}

/** An attempt whose time was up before what was waited for had come. */
export function timedOutAttempt(
  cause: unknown,
  timeoutMs: number,
  awaited: "answer" | "event" = "answer",
): FailedAttempt {
  return {
    code: "timeout",
    cause,
    because: `no whole ${awaited} within ${timeoutMs} ms`,
    mayHaveBeenReceived: true,
    isTransient: true,
  };
}

/**
 * An attempt that ended in `error`, which is told without secrets.
 *
 * @throws {unknown} The error itself where it is no fault of a network: an error of this library, or
 * a mistake in an injected `fetch`.
 */
export function failedBy(error: unknown): FailedAttempt {
  if (!(error instanceof Error) || error instanceof OrderlensError || isMistake(error)) {
    throw withoutSecrets(error);
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
  remedy: "Check the address and that the service runs, then call again",
};

/** Faults that tell, in the words of the runtime's `fetch`, that nothing was sent. */
const UNSENT: readonly (Unsent & { readonly sign: RegExp })[] = [
  {
    sign: /^(NotCapable|PermissionDenied):/,
    isTransient: false,
    remedy: "Allow the process to reach this host, with `--allow-net`",
  },
  {
    sign: /Requests to port \d+ are blocked/,
    isTransient: false,
    remedy: "Use another port: `fetch` refuses this one",
  },
  {
    sign: /certificate|corrupt message of type|received fatal alert/i,
    isTransient: false,
    remedy: "Check that the address speaks TLS and its certificate is one this machine trusts",
  },
];

function remedyFor(failed: FailedAttempt, request: HttpRequest): string {
  if (!onlyReads(request)) {
    return "Look whether the service did what was asked before sending it again";
  }
  return failed.code === "timeout"
    ? "Call again later, or give the transport a longer `timeoutMs`"
    : "Call again later; if it stays, check the address and the way to it";
}

/** Errors that a program makes, not a network. */
function isMistake(error: Error): boolean {
  return error instanceof RangeError || error instanceof ReferenceError ||
    error instanceof SyntaxError;
}

function deepest(error: Error): Error {
  return error.cause instanceof Error ? deepest(error.cause) : error;
}

/** The last clause of the innermost message; before it the runtime repeats addresses. */
function clauseOf(error: Error): string {
  const { message } = deepest(error);
  return message.split(/client error \(\w+\): /).at(-1) ?? message;
}

/** The error, or one without the secrets that its text holds. */
function shown(error: Error): Error {
  const text = `${error.message}\n${error.stack}\n${deepest(error).message}\n${
    deepest(error).stack
  }`;
  if (shownText(text) === text) return error;
  const hidden = new Error(shownText(deepest(error).message));
  hidden.name = error.name;
  return hidden;
}

function shownText(text: string): string {
  return hideSecrets(redact(text));
}
