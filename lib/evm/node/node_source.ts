import { InputError } from "../../errors/mod.ts";
import { malformedAnswer, refusedBy, type RpcCall, type RpcNode, rpcNode } from "./json_rpc.ts";
import { inBatches } from "./rpc_batches.ts";
import type { CachedRpcOptions } from "./rpc_options.ts";

/**
 * A source of JSON-RPC: the http or https URL of a node, or an object with a function `rpc`, such
 * as a sandbox or a replayed recording.
 */
export type NodeSource = string | URL | { readonly rpc: RpcNode };

/**
 * Connects to a node, or to an equivalent object. Options of requests other than `signal` do not
 * apply to an object.
 *
 * @param wanted What is requested, for errors.
 * @throws {InputError} If `source` is neither an http or https URL nor an object with `rpc`.
 */
export function nodeOf(source: NodeSource, wanted: string, options: CachedRpcOptions): RpcNode {
  const { cacheFolder: _, ...sending } = options;
  if (typeof source === "string" || source instanceof URL) {
    return rpcNode(String(source), wanted, sending);
  }
  if (typeof source !== "object" || source === null || typeof source.rpc !== "function") {
    throw new InputError(`Cannot get ${wanted}: the source is not a node`, {
      remedy: "Pass the URL of a JSON-RPC endpoint, or an object with `rpc`, such as a sandbox",
    });
  }
  const send = async (calls: readonly RpcCall[]) => {
    options.signal?.throwIfAborted();
    const answers: unknown = await source.rpc(calls);
    requireAnswers(answers, { calls, wanted });
    return answers;
  };
  return inBatches(send, { options, refused: (answer) => refusedBy(answer, wanted) });
}

function requireAnswers(
  answers: unknown,
  { calls, wanted }: { calls: readonly RpcCall[]; wanted: string },
): asserts answers is Awaited<ReturnType<RpcNode>> {
  const isAnswer = (one: unknown) => {
    const { result, error } = Object(one);
    return error === undefined
      ? result !== undefined
      : typeof error?.code === "number" && typeof error.message === "string";
  };
  if (Array.isArray(answers) && answers.length === calls.length && answers.every(isAnswer)) return;
  throw malformedAnswer(answers, wanted, "`rpc` did not return one answer per call");
}
