import type { RpcCall, Sandbox } from "orderlens/sandbox";
import type { ChainRecord, ChainSettlement } from "../../lib/recordings/recorded_chain.ts";

/** First digits of the calldata of a settlement. */
const SETTLE = "0x13d79a0b";
const CALLS = 500;

interface NodeBlock {
  readonly number: string;
  readonly timestamp: string;
  readonly transactions: readonly NodeTransaction[];
}

interface NodeTransaction {
  readonly hash: string;
  readonly from: string;
  readonly to: string;
  readonly input: string;
  readonly blockNumber: string;
}

interface NodeReceipt {
  readonly gasUsed: string;
  readonly effectiveGasPrice: string;
  readonly status: string;
}

/** Everything that the node of a sandbox tells of its settlements and blocks. */
export async function recordChain(sandbox: Sandbox): Promise<ChainRecord> {
  const [earliest] = await ask<NodeBlock>(sandbox, [
    { method: "eth_getBlockByNumber", params: ["earliest", false] },
  ]);
  const first = Number(earliest!.number);
  const numbers = Array.from(
    { length: sandbox.description.block - first + 1 },
    (_, at) => first + at,
  );
  const blocks = await ask<NodeBlock>(
    sandbox,
    numbers.map((number) => ({
      method: "eth_getBlockByNumber",
      params: [`0x${number.toString(16)}`, true],
    })),
  );
  const sent = blocks.flatMap(({ transactions }) => transactions)
    .filter(({ input }) => input.startsWith(SETTLE));
  const receipts = await ask<NodeReceipt>(
    sandbox,
    sent.map(({ hash }) => ({ method: "eth_getTransactionReceipt", params: [hash] })),
  );
  const settlements = sent.map(({ hash, from, to, input, blockNumber }, at) => {
    const { gasUsed, effectiveGasPrice, status } = receipts[at]!;
    const settlement: ChainSettlement = {
      from,
      to,
      input,
      blockNumber: Number(blockNumber),
      gasUsed: String(BigInt(gasUsed)),
      effectiveGasPrice: String(BigInt(effectiveGasPrice)),
      status,
    };
    return [hash, settlement] as const;
  });
  const address = sandbox.deployment.settlementContract;
  const [logs] = await ask<ChainRecord["logs"]>(sandbox, [
    { method: "eth_getLogs", params: [{ fromBlock: "earliest", toBlock: "latest", address }] },
  ]);
  return {
    settlements: Object.fromEntries(settlements),
    logs: logs!.map(({ address, topics, data, blockNumber, transactionHash, logIndex }) => ({
      address,
      topics,
      data,
      blockNumber,
      transactionHash,
      logIndex,
    })),
    blocks: Object.fromEntries(
      blocks.map(({ number, timestamp }) => [Number(number), Number(timestamp)]),
    ),
  };
}

async function ask<T>(sandbox: Sandbox, calls: readonly RpcCall[]): Promise<T[]> {
  const results: T[] = [];
  for (let at = 0; at < calls.length; at += CALLS) {
    for (const answer of await sandbox.rpc(calls.slice(at, at + CALLS))) {
      if ("error" in answer) throw new Error(answer.error.message);
      results.push(answer.result as T);
    }
  }
  return results;
}
