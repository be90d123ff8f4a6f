import type { ViewedBlock, ViewedLog, ViewedTransaction } from "./chain_view.ts";

/** A record of JSON-RPC; unknown fields are absent. */
export type RpcRecord = Readonly<Record<string, unknown>>;

const NO_HASH = `0x${"0".repeat(64)}`;
/** A Bloom filter of logs that excludes nothing: every log may be included. */
const FULL_BLOOM = `0x${"f".repeat(512)}`;
const GAS_LIMIT = 30_000_000n;
/** Hash of an empty list, used for a block's uncles. */
const NO_UNCLES = "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347";
const NO_ACCOUNT = `0x${"0".repeat(40)}`;

function recordOf(fields: Readonly<Record<string, unknown>>): RpcRecord {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** A number in the format of JSON-RPC quantities. */
export function quantity(value: number | bigint | string): string {
  return `0x${BigInt(value).toString(16)}`;
}

function known(value: number | bigint | undefined): string | undefined {
  return value === undefined ? undefined : quantity(value);
}

/** A block; `transactions` are its hashes or its whole transactions. */
export function blockRecord(block: ViewedBlock, transactions?: readonly unknown[]): RpcRecord {
  const { number, timestamp, hash, parentHash, baseFeePerGas, gasUsed } = block;
  const place = { number: quantity(number), timestamp: quantity(timestamp), hash: hash ?? null };
  if (parentHash === undefined) return place;
  return recordOf({
    ...place,
    parentHash,
    nonce: "0x0000000000000000",
    sha3Uncles: NO_UNCLES,
    logsBloom: FULL_BLOOM,
    transactionsRoot: NO_HASH,
    stateRoot: NO_HASH,
    receiptsRoot: NO_HASH,
    mixHash: NO_HASH,
    miner: NO_ACCOUNT,
    difficulty: "0x0",
    totalDifficulty: "0x0",
    extraData: "0x",
    size: "0x0",
    gasLimit: quantity(GAS_LIMIT),
    gasUsed: known(gasUsed),
    baseFeePerGas: known(baseFeePerGas),
    uncles: [],
    transactions,
  });
}

/** A transaction, with a dummy signature. */
export function transactionRecord(transaction: ViewedTransaction, chainId: number): RpcRecord {
  const { hash, from, to, input, value, nonce, gasUsed, effectiveGasPrice } = transaction;
  return recordOf({
    ...placeOf(transaction),
    hash,
    from,
    to,
    input,
    ...(nonce === undefined ? {} : {
      type: "0x0",
      chainId: quantity(chainId),
      nonce: quantity(nonce),
      gas: quantity(gasUsed),
      gasPrice: quantity(effectiveGasPrice),
      v: "0x0",
      r: "0x0",
      s: "0x0",
    }),
    value: known(value),
  });
}

/** The receipt of a transaction. */
export function receiptRecord(transaction: ViewedTransaction): RpcRecord {
  const { hash, from, to, gasUsed, effectiveGasPrice, succeeded, logs, nonce } = transaction;
  return recordOf({
    ...placeOf(transaction),
    transactionHash: hash,
    from,
    to,
    contractAddress: null,
    cumulativeGasUsed: known(transaction.cumulativeGasUsed),
    gasUsed: quantity(gasUsed),
    effectiveGasPrice: quantity(effectiveGasPrice),
    status: succeeded ? "0x1" : "0x0",
    ...(nonce === undefined ? {} : { type: "0x0", logsBloom: FULL_BLOOM }),
    logs: logs.map(logRecord),
  });
}

/** A log. */
export function logRecord(log: ViewedLog): RpcRecord {
  const { address, topics, data, blockNumber, transactionHash, logIndex, transactionIndex } = log;
  return recordOf({
    address,
    topics,
    data,
    blockNumber: quantity(blockNumber),
    blockHash: log.blockHash,
    blockTimestamp: known(log.blockTimestamp),
    transactionHash,
    transactionIndex: known(transactionIndex),
    logIndex: quantity(logIndex),
    removed: false,
  });
}

function placeOf({ blockNumber, blockHash, transactionIndex }: ViewedTransaction): RpcRecord {
  return {
    blockNumber: quantity(blockNumber),
    blockHash,
    transactionIndex: known(transactionIndex),
  };
}
