import { InputError } from "../../errors/mod.ts";
import { checkOptions, type OptionRules, rule, TEXT } from "../../errors/option_rules.ts";
import type { RequestHandler } from "../service/request_handler.ts";
import type { Patience } from "./connection.ts";
import { HttpServer } from "./http_server.ts";

/** Where a sandbox listens. */
export interface ListenOptions {
  /** Port; 0 for any free port. @default {8080} */
  readonly port?: number;
  /** Network interface. @default {"127.0.0.1"} */
  readonly hostname?: string;
}

/** A listening sandbox. */
export interface SandboxServer extends AsyncDisposable {
  /** URL to which `/api/v1/…` is appended. */
  readonly url: string;
  /** Port that it listens on. */
  readonly port: number;
  /** Closes it at once, including all responses in progress; a second call has no effect. */
  close(): Promise<void>;
}

const OPTIONS: OptionRules<ListenOptions> = {
  port: rule("a number", (port) => typeof port === "number"),
  hostname: TEXT,
};

const DEFAULT_PORT = 8080;
const LAST_PORT = 65_535;

/** Default timeouts and limits. */
const PATIENCE: Patience = {
  requestMs: 15_000,
  idleMs: 60_000,
  answerMs: 15_000,
  lingerMs: 2_000,
  connections: 1_000,
  unsent: 128 * 1024 * 1024,
};

/**
 * Serves a handler over HTTP.
 *
 * @throws {InputError} If the port is invalid or in use, the interface is not on this machine, or
 * the runtime is not Deno.
 */
export function serveOverHttp(
  handler: RequestHandler,
  options: ListenOptions,
  patience: Patience = PATIENCE,
): SandboxServer {
  checkOptions(options, OPTIONS, "Cannot listen");
  const { port = DEFAULT_PORT, hostname = "127.0.0.1" } = options;
  if (!Number.isInteger(port) || port < 0 || port > LAST_PORT) {
    throw new InputError(`Cannot listen on port ${port}`, {
      remedy: `Pass a whole number from 0 (any free port) to ${LAST_PORT}`,
    });
  }
  if (typeof Deno === "undefined") {
    throw new InputError("Cannot listen: serving a sandbox over HTTP requires Deno", {
      remedy: "Run it in Deno, or connect to the sandbox directly, which answers in-process",
    });
  }
  const listener = atPort({ port, hostname }, () => Deno.listen({ port, hostname }));
  const bound = listener.addr.port;
  const http = new HttpServer(listener, { handler, patience });
  const close = () => http.close();
  const host = hostname.includes(":") ? `[${hostname}]` : hostname;
  return {
    url: `http://${host}:${bound}`,
    port: bound,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function atPort<Server>(where: { port: number; hostname: string }, listen: () => Server): Server {
  try {
    return listen();
  } catch (error) {
    if (!(error instanceof Error) || error instanceof Deno.errors.NotCapable) throw error;
    const isTaken = error instanceof Deno.errors.AddrInUse;
    throw new InputError(`Cannot listen on ${where.hostname}, port ${where.port}`, {
      facts: { reason: isTaken ? "the port is already in use" : error.message },
      remedy: isTaken
        ? "Pass another port, or 0 for any free port"
        : "Pass an interface of this machine, and a port that you are allowed to use",
      cause: error,
    });
  }
}
