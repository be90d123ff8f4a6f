import { InputError } from "../../errors/mod.ts";
import { isMissing, localFiles } from "../../http/local_files.ts";
import { systemClock } from "../../http/mod.ts";
import { connectNode, toAnswerError, toNodeError, unwrap } from "./json_rpc.ts";
import {
  type CachedRpcOptions,
  readSafeQuantity,
  type RpcAnswer,
  type RpcCall,
  type RpcNode,
  type RpcOptions,
  sendInBatches,
} from "./rpc_batches.ts";

/** One line: values that JSON can represent. */
export type CacheLine = readonly (string | number | null)[];

/**
 * Lines on disk that are only ever appended, each with a checksum: `[18000000,1694000000] 1f3a09c2`.
 *
 * Safe to share between processes, and to interrupt: lines of one append are written at once,
 * starting on a new line, so that a line cut short damages no other. A damaged line counts as absent.
 */
export class LineCache {
  readonly #folder: string;
  readonly #file: string;

  /** Uses a file `<name>.lines` of a folder; both are created when first needed. */
  constructor(folder: string, name: string) {
    this.#folder = folder.replace(/(?<=.)\/+$/, "");
    this.#file = `${this.#folder}/${name}.lines`;
  }

  /**
   * All undamaged lines, oldest first. Creates the folder.
   *
   * @throws {InputError} If the folder cannot be used.
   */
  async read(): Promise<CacheLine[]> {
    try {
      await localFiles().mkdir(this.#folder, { recursive: true });
      const text = await localFiles().readFile(this.#file, "utf8").catch((error) => {
        if (isMissing(error)) return "";
        throw error;
      });
      return text.split("\n").map(parseLine).filter((line) => line !== null);
    } catch (cause) {
      throw new InputError(`Cannot cache responses of a node in the folder ${this.#folder}`, {
        facts: { because: cause instanceof Error ? cause.message : String(cause) },
        remedy:
          "Pass a readable and writable folder, and run with `--allow-read` and `--allow-write`",
        cause,
      });
    }
  }

  /** Appends lines, after `read`. A failed write is ignored: the caller has the responses. */
  async append(lines: readonly CacheLine[]): Promise<void> {
    if (lines.length === 0) return;
    const text = lines.map((line) => {
      const json = JSON.stringify(line);
      return `${json} ${checksum(json)}\n`;
    }).join("");
    await localFiles().writeFile(this.#file, `\n${text}`, { flag: "a" }).catch(() => {});
  }
}

function parseLine(line: string): CacheLine | null {
  const index = line.lastIndexOf(" ");
  const json = line.slice(0, index);
  if (index < 0 || line.slice(index + 1) !== checksum(json)) return null;
  try {
    const values: unknown = JSON.parse(json);
    return Array.isArray(values) ? values : null;
  } catch {
    return null;
  }
}

/** FNV-1a of 32 bits over the text's UTF-16 units, as 8 hex digits: finds damage, not malice. */
function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, "0");
}

/** A node whose responses are cached. */
export interface CachedNode {
  /** Its source. */
  readonly source: NodeSource;
  /** Calls it. */
  readonly ask: RpcNode;
  /** Name of the requested data, for errors. */
  readonly wanted: string;
}

/**
 * Opens the cache of one chain. Chains are distinguished by their id and the hash of their first block,
 * since local chains often have the id of a public one. A source in the same process that does not
 * have the first block, such as a recording, is not cached: nothing distinguishes its chain from others.
 *
 * @returns Opens a file of the cache by name; `null` if nothing is cached.
 * @throws {InputError} If the folder cannot be used.
 */
export async function openCache(
  { source, ask, wanted }: CachedNode,
  { cacheFolder }: CachedRpcOptions,
): Promise<((name: string) => LineCache) | null> {
  if (cacheFolder === undefined) return null;
  if (cacheFolder === "") {
    throw new InputError(`Cannot cache ${wanted}: the path of the folder is empty`, {
      remedy: "Pass the path of a folder as cacheFolder, or leave it out",
    });
  }
  const chainId = await fetchChainId(ask, wanted);
  const hash = await fetchFirstHash(ask);
  if (hash === null && typeof source === "object" && "rpc" in source) return null;
  return (name) => new LineCache(cacheFolder, `${chainId}_${hash ?? "0"}_${name}`);
}

/** Reads the clock, in seconds since the unix epoch. */
export function readClockSeconds({ clock = systemClock }: RpcOptions): number {
  return Math.floor(clock.now() / 1_000);
}

async function fetchChainId(ask: RpcNode, wanted: string): Promise<number> {
  const [answer] = await ask([CHAIN_ID_CALL]);
  const id = parseChainId(answer);
  if (id === undefined) {
    throw toAnswerError(unwrap(answer!, wanted), wanted, "it has no chain id");
  }
  return id;
}

/** Fetches the start of the hash of block 0; `null` if the node does not have the block. */
async function fetchFirstHash(ask: RpcNode): Promise<string | null> {
  const [answer] = await ask([{ method: "eth_getBlockByNumber", params: ["0x0", false] }]);
  const block = "result" in answer! ? answer.result : null;
  const hash = typeof block === "object" && block !== null ? Reflect.get(block, "hash") : null;
  const start = typeof hash === "string" ? /^0x([0-9a-f]{8})/i.exec(hash)?.[1] : undefined;
  return start?.toLowerCase() ?? null;
}

/**
 * A source of JSON-RPC: the http or https URL of a node, or an object with a function `rpc`, such
 * as a sandbox or a replayed recording.
 */
export type NodeSource = string | URL | { readonly rpc: RpcNode };

/**
 * Connects to a node, or to an equivalent object. Options of requests other than `signal` do not
 * apply to an object.
 *
 * @param wanted Name of the requested data, for errors.
 * @throws {InputError} If `source` is neither an http or https URL nor an object with `rpc`.
 */
export function requireNode(
  source: NodeSource,
  wanted: string,
  options: CachedRpcOptions,
): RpcNode {
  const { cacheFolder: _, ...sending } = options;
  if (typeof source === "string" || source instanceof URL) {
    return connectNode(String(source), wanted, sending);
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
  return sendInBatches(send, { options, refused: (answer) => toNodeError(answer, wanted) });
}

function requireAnswers(
  answers: unknown,
  { calls, wanted }: { calls: readonly RpcCall[]; wanted: string },
): asserts answers is Awaited<ReturnType<RpcNode>> {
  const isAnswer = (answer: unknown) => {
    const { result, error } = Object(answer);
    return error === undefined
      ? result !== undefined
      : typeof error?.code === "number" && typeof error.message === "string";
  };
  if (Array.isArray(answers) && answers.length === calls.length && answers.every(isAnswer)) return;
  throw toAnswerError(answers, wanted, "`rpc` did not return one answer per call");
}

/** The call for the id of a chain. */
export const CHAIN_ID_CALL: RpcCall = { method: "eth_chainId", params: [] };

/** Reads the id of a chain; `undefined` if the node has none, such as a recording without a deployment. */
export function parseChainId(answer: RpcAnswer | undefined): number | undefined {
  const result = answer !== undefined && "result" in answer ? answer.result : null;
  return readSafeQuantity(result) || undefined;
}

/**
 * Checks that a node is of a chain. One without a chain id, such as a list of blocks, is accepted.
 *
 * @param action Start of the error, such as `Cannot export`.
 * @throws {InputError} If it is of another chain.
 */
export async function requireChain(ask: RpcNode, chainId: number, action: string): Promise<void> {
  requireChainAnswer((await ask([CHAIN_ID_CALL]))[0], chainId, action);
}

/** Checks the response to {@linkcode CHAIN_ID_CALL}; see {@linkcode requireChain}. */
export function requireChainAnswer(
  answer: RpcAnswer | undefined,
  chainId: number,
  action: string,
): void {
  const nodeChainId = parseChainId(answer);
  if (nodeChainId === undefined || nodeChainId === chainId) return;
  throw new InputError(`${action} with a node of another chain`, {
    facts: { "chain wanted": chainId, "chain of the node": nodeChainId },
    remedy: `Pass a node of chain ${chainId}`,
  });
}
