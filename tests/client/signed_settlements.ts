import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { hexToBigInt, keccak256, parseTransaction, toHex } from "viem/utils";
import type { Competition } from "orderlens";
import type { EventLog } from "orderlens/evm";
import { replay } from "orderlens/recordings";
import { type RecordedReports, recordedReports } from "../client/recorded_reports.ts";

/** A settlement as a real node has it: what it answers about it, as text. */
export interface ServedSettlement {
  /** Hash of its transaction. */
  readonly hash: string;
  /** The transaction, with all its fields and its signature. */
  readonly transaction: string;
  /** Its receipt, with its Bloom filter. */
  readonly receipt: string;
}

/** Settlements, and the auctions that report them. */
export interface SettlementChain {
  readonly settlements: readonly ServedSettlement[];
  readonly reports: RecordedReports;
}

/**
 * The settlements of the recording, repeated up to a number, as a real node has them: signed, so that
 * the hash is that of the bytes, and with all fields of receipts. Auctions report them under these
 * hashes.
 */
export async function settlementChain(count: number): Promise<SettlementChain> {
  const recording = await replay("market_1");
  const { competitions, trades, orders } = await recordedReports("market_1");
  const settled = competitions.filter(({ transactionHashes }) => transactionHashes.length > 0);
  const account = privateKeyToAccount(generatePrivateKey());
  const settlements: ServedSettlement[] = [];
  const made: Competition[] = [];
  for (let place = 0; settlements.length < count; place++) {
    const competition = settled[place % settled.length]!;
    const hashes = new Map<string, string>();
    for (const hash of competition.transactionHashes) {
      const [sent, receipt] = await recording.rpc([
        { method: "eth_getTransactionByHash", params: [hash] },
        { method: "eth_getTransactionReceipt", params: [hash] },
      ]);
      const served = await servedOf(account, {
        sent: resultOf(sent),
        receipt: resultOf(receipt),
        nonce: settlements.length,
      });
      hashes.set(hash, served.hash);
      settlements.push(served);
    }
    made.push({
      ...competition,
      transactionHashes: competition.transactionHashes.map((hash) => hashes.get(hash)!),
      solutions: competition.solutions.map((solution) => {
        const hash = hashes.get(solution.txHash ?? "");
        return hash === undefined ? solution : { ...solution, txHash: hash };
      }),
    });
  }
  return { settlements, reports: { competitions: made, trades, orders } };
}

function resultOf(answer: unknown): Record<string, unknown> {
  return Object(answer).result;
}

async function servedOf(
  account: ReturnType<typeof privateKeyToAccount>,
  { sent, receipt, nonce }: {
    sent: Record<string, unknown>;
    receipt: Record<string, unknown>;
    nonce: number;
  },
): Promise<ServedSettlement> {
  const fields = {
    to: sent.to as `0x${string}`,
    data: sent.input as `0x${string}`,
    nonce,
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
      nonce: toHex(nonce),
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
