import { HttpError, OrderlensError, RateLimitedError, UnansweredError } from "../../errors/mod.ts";
import type { NodeSource, RpcCall } from "../../evm/mod.ts";
import { requireChain } from "../../evm/node/chain_id.ts";
import { nodeOf } from "../../evm/node/node_source.ts";
import type { ReportedUnknown } from "./order_report.ts";

/** Why a node does not tell something, and what would show it. */
export type NotTold = Omit<ReportedUnknown, "what">;

/** How a node is asked for a report. */
export interface ReportNodeOptions {
  /** Chain of the deployment. */
  readonly chainId: number;
  /** Ends the requests. */
  readonly signal: AbortSignal | undefined;
}

const WANTED = "facts of the chain";
const LATER = "Ask again later, or another node";
/** Nobody waits long for a report: a node that hangs is given up after ten seconds. */
const PATIENCE = { timeoutMs: 10_000, silenceMs: 10_000, retries: 2, backoffBaseMs: 2_000 };

/**
 * The node of a report. One that cannot be reached, hangs, refuses or is of another chain is not asked
 * again: every later question fails with the first error, so that a report waits for it once.
 */
export class ReportNode {
  readonly #ask: ReturnType<typeof nodeOf>;
  readonly #options: ReportNodeOptions;
  #chain: Promise<void> | undefined;
  #failure: OrderlensError | null = null;

  /** @throws {InputError} If `source` is not a node. */
  constructor(source: NodeSource, options: ReportNodeOptions) {
    const { signal } = options;
    this.#ask = nodeOf(source, WANTED, { ...PATIENCE, ...signal !== undefined && { signal } });
    this.#options = options;
  }

  /** Why it is not asked any more; `null` if it answers. */
  get failure(): NotTold | null {
    if (this.#failure === null) return null;
    const told = notToldBy(this.#failure);
    return isOutage(this.#failure) ? { ...told, remedy: LATER } : told;
  }

  /** Asks the node, for whatever takes one. */
  readonly rpc = async (calls: readonly RpcCall[]) => {
    await (this.#chain ??= this.#requireChain());
    return await this.#send(calls);
  };

  async #requireChain(): Promise<void> {
    const { chainId } = this.#options;
    try {
      await requireChain(this.#ask, chainId, "Cannot get facts of the order");
    } catch (error) {
      if (error instanceof OrderlensError) this.#failure = error;
      throw error;
    }
  }

  async #send(calls: readonly RpcCall[]) {
    if (this.#failure !== null) throw this.#failure;
    try {
      return await this.#ask(calls);
    } catch (error) {
      const isRefused = error instanceof HttpError && error.status >= 400;
      if (isRefused || isOutage(error)) this.#failure ??= error;
      throw error;
    }
  }
}

/** The node of a report, if there is one. */
export function reportNode(
  source: NodeSource | undefined,
  options: ReportNodeOptions,
): ReportNode | undefined {
  return source === undefined ? undefined : new ReportNode(source, options);
}

/**
 * Why a node does not tell something, by its error; the rest of a report stays as it is.
 *
 * @throws Any error that is none of the library's, such as the reason of an aborted signal.
 */
export function notToldBy(error: unknown): NotTold {
  if (!(error instanceof OrderlensError)) throw error;
  return { why: error.message.split("\n")[0]!, remedy: error.remedy };
}

/** Whether a node does not answer for now, whatever it is asked. */
export function isOutage(error: unknown): error is OrderlensError {
  return error instanceof UnansweredError || error instanceof RateLimitedError;
}
