import type { RpcCall, Sandbox } from "orderlens/sandbox";
import type { ChainRecord, ChainSettlement } from "../../lib/recordings/recorded_chain.ts";

/** Selector of the calldata of a settlement. */
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

/** Records the settlements, logs and blocks of the node of a sandbox. */
export async function recordChain(sandbox: Sandbox): Promise<ChainRecord> {
  const [earliest] = await call<NodeBlock>(sandbox, [
    { method: "eth_getBlockByNumber", params: ["earliest", false] },
  ]);
  const first = Number(earliest!.number);
  const numbers = Array.from(
    { length: sandbox.description.block - first + 1 },
    (_, index) => first + index,
  );
  const blocks = await call<NodeBlock>(
    sandbox,
    numbers.map((number) => ({
      method: "eth_getBlockByNumber",
      params: [`0x${number.toString(16)}`, true],
    })),
  );
  const settleTransactions = blocks.flatMap(({ transactions }) => transactions)
    .filter(({ input }) => input.startsWith(SETTLE));
  const receipts = await call<NodeReceipt>(
    sandbox,
    settleTransactions.map(({ hash }) => ({ method: "eth_getTransactionReceipt", params: [hash] })),
  );
  const settlements = settleTransactions.map(({ hash, from, to, input, blockNumber }, index) => {
    const { gasUsed, effectiveGasPrice, status } = receipts[index]!;
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
  const [logs] = await call<ChainRecord["logs"]>(sandbox, [
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

async function call<T>(sandbox: Sandbox, calls: readonly RpcCall[]): Promise<T[]> {
  const results: T[] = [];
  for (let start = 0; start < calls.length; start += CALLS) {
    for (const response of await sandbox.rpc(calls.slice(start, start + CALLS))) {
      if ("error" in response) throw new Error(response.error.message);
      results.push(response.result as T);
    }
  }
  return results;
}
