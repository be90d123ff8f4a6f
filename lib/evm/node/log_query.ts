import type { EventLog } from "../settlement/decode_settlement_events.ts";
import type { LogQuery } from "./chain_view.ts";
import { RpcError } from "./rpc_error.ts";
import { invalidParams, readHex, readObject } from "./rpc_params.ts";

const MOST_TOPICS = 4;
const ADDRESS = { name: "address", bytes: 20 };
const TOPIC = { name: "a topic", bytes: 32 };

/** How to resolve the blocks of a filter. */
export interface BlockFinder {
  /** Number of a block by number or tag; `name` is for errors. */
  numberOf(block: unknown, name: string): number;
  /** Number of a block by hash. */
  numberOfHash(hash: unknown): number;
}

/** Reads the filter of `eth_getLogs`. */
export function readLogQuery(value: unknown, finder: BlockFinder): LogQuery {
  const { fromBlock, toBlock, blockHash, address, topics } = readObject(value, "the filter");
  return {
    ...readRange({ fromBlock, toBlock, blockHash }, finder),
    addresses: setOf(address, ADDRESS),
    topics: readTopics(topics),
  };
}

function readRange(
  { fromBlock, toBlock, blockHash }: Readonly<Record<string, unknown>>,
  finder: BlockFinder,
): Pick<LogQuery, "fromBlock" | "toBlock"> {
  if (blockHash != null) {
    if (fromBlock != null || toBlock != null) {
      throw new RpcError(
        "invalidParams",
        "invalid params: pass either blockHash or fromBlock and toBlock",
      );
    }
    const number = finder.numberOfHash(blockHash);
    return { fromBlock: number, toBlock: number };
  }
  const first = finder.numberOf(fromBlock ?? "latest", "fromBlock");
  const last = finder.numberOf(toBlock ?? "latest", "toBlock");
  // Clients that follow the chain request blocks after the latest one, which have no logs yet.
  if (first > last && typeof toBlock === "string" && toBlock.startsWith("0x")) {
    throw new RpcError("invalidParams", `invalid params: fromBlock ${first} is after ${last}`);
  }
  return { fromBlock: first, toBlock: last };
}

function readTopics(value: unknown): LogQuery["topics"] {
  if (value == null) return [];
  if (!Array.isArray(value) || value.length > MOST_TOPICS) {
    throw invalidParams("topics", `a list of up to ${MOST_TOPICS}`, value);
  }
  return value.map((one) => setOf(one, TOPIC));
}

/** One value, or several of which any matches; `null` for any value. */
function setOf(value: unknown, field: { name: string; bytes: number }): ReadonlySet<string> | null {
  if (value == null) return null;
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.length === 0 ? null : new Set(values.map((one) => readHex(one, field)));
}

/** Whether a log in the range matches. */
export function isWanted(
  { address, topics }: Pick<EventLog, "address" | "topics">,
  wanted: Pick<LogQuery, "addresses" | "topics">,
): boolean {
  if (wanted.addresses?.has(address.toLowerCase()) === false) return false;
  return wanted.topics.every((values, at) => {
    const topic = topics[at];
    return topic !== undefined && (values === null || values.has(topic.toLowerCase()));
  });
}
