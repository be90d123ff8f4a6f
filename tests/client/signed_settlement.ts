import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { hexToBigInt, keccak256, parseTransaction, toHex } from "viem/utils";
import type { EventLog } from "orderlens/evm";
import { replay } from "orderlens/recordings";

const SETTLED = "0x5853a31f5b641bc26a399a786c404f7d716a23b7f1f51b23361a838088773575";

/** A settlement as a real node has it: what it answers about it, as text. */
export interface ServedSettlement {
  /** Hash of its transaction. */
  readonly hash: string;
  /** The transaction, with all its fields and its signature. */
  readonly transaction: string;
  /** Its receipt, with its Bloom filter. */
  readonly receipt: string;
}

/** A recorded settlement as a real node has it: signed, so that its hash is that of its bytes. */
export async function signedSettlement(): Promise<ServedSettlement> {
  const recording = await replay("market_1");
  const answers = await recording.rpc(
    ["eth_getTransactionByHash", "eth_getTransactionReceipt"]
      .map((method) => ({ method, params: [SETTLED] })),
  );
  const [sent, receipt] = answers.map((answer) => Object(answer).result);
  const account = privateKeyToAccount(generatePrivateKey());
  const fields = {
    to: sent.to as `0x${string}`,
    data: sent.input as `0x${string}`,
    nonce: 0,
    gas: 30_000_000n,
    value: 0n,
    chainId: 1,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 10n ** 9n,
    type: "eip1559",
  } as const;
  const bytes = await account.signTransaction(fields);
  const hash = keccak256(bytes);
  const { r, s, yParity } = parseTransaction(bytes);
  const logs = (receipt.logs as (EventLog & Record<string, unknown>)[])
    .map((log) => ({ ...log, transactionHash: hash, removed: false }));
  const place = { blockNumber: receipt.blockNumber, blockHash: `0x${"b".repeat(64)}` };
  return {
    hash,
    transaction: JSON.stringify({
      ...place,
      hash,
      type: "0x2",
      from: sent.from,
      to: sent.to,
      input: sent.input,
      nonce: toHex(fields.nonce),
      gas: toHex(fields.gas),
      value: "0x0",
      chainId: "0x1",
      maxFeePerGas: toHex(fields.maxFeePerGas),
      maxPriorityFeePerGas: toHex(fields.maxPriorityFeePerGas),
      gasPrice: toHex(fields.maxFeePerGas),
      accessList: [],
      transactionIndex: "0x0",
      r,
      s,
      v: toHex(yParity!),
      yParity: toHex(yParity!),
    }),
    receipt: JSON.stringify({
      ...receipt,
      ...place,
      transactionHash: hash,
      transactionIndex: "0x0",
      type: "0x2",
      cumulativeGasUsed: receipt.gasUsed,
      contractAddress: null,
      logsBloom: bloomOf(logs),
      logs: logs.map((log) => ({ ...log, blockHash: place.blockHash })),
    }),
  };
}

/** The Bloom filter of logs, as the yellow paper has it. */
function bloomOf(logs: readonly EventLog[]): string {
  let bloom = 0n;
  for (const value of logs.flatMap(({ address, topics }) => [address, ...topics])) {
    const hash = keccak256(value as `0x${string}`);
    for (const place of [2, 6, 10]) {
      bloom |= 1n << (hexToBigInt(`0x${hash.slice(place, place + 4)}`) & 2047n);
    }
  }
  return `0x${bloom.toString(16).padStart(512, "0")}`;
}
