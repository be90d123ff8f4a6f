import { assertEquals } from "@std/assert";
import { settlementLogs } from "orderlens/evm";
import { CONTRACT, LogChain } from "../log_chain.ts";

/**
 * Errors of providers and clients as their users reported them: to a query for 10,000 blocks, how
 * many blocks the next one may have.
 */
const TEXTS: [who: string, code: number, message: string, next: number][] = [
  ["Infura", -32005, "query returned more than 10000 results", 5_000],
  [
    "Infura with a range",
    -32005,
    "query returned more than 10000 results. Try with this block range [0x3E8, 0xBB7].",
    2_000,
  ],
  ["Infura of 2026", -32602, "range 1000000 exceeds limit of 1000", 1_000],
  ["Infura's time", -32005, "query timeout exceeded", 5_000],
  ["old Infura", -32005, "query returned more than 1000 results", 5_000],
  ["Alchemy", -32602, "Log response size exceeded. Please reduce query block range.", 5_000],
  [
    "Alchemy with a range",
    -32602,
    "Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range and no limit on the response size, or you can request any block range with a cap of 10K logs in the response. Based on your parameters and the response size limit, this block range should work: [0x3e8, 0x9c3]",
    1_500,
  ],
  [
    "Alchemy of a free plan",
    -32600,
    "You can make eth_getLogs requests with up to a 500 block range. Based on your parameters, this block range should work: [0x3e8, 0x5db]",
    500,
  ],
  [
    "Alchemy's time",
    -32000,
    "Query timeout exceeded. Consider reducing your block range. Based on your parameters and the response size limit, this block range should work: [0x3e8, 0xbb7]",
    2_000,
  ],
  ["QuickNode", -32614, "eth_getLogs is limited to a 5,000 range", 5_000],
  ["QuickNode's free plan", -32615, "eth_getLogs is limited to a 5 range", 5],
  ["Ankr", -32600, "block range is too wide", 5_000],
  ["dRPC", 35, "ranges over 1000 blocks are not supported on freetier", 1_000],
  ["reth", -32602, "query exceeds max block range 5000", 5_000],
  [
    "reth's results",
    -32602,
    "query exceeds max results 20000, retry with the range 1000-3999",
    3_000,
  ],
  [
    "reth with the same range",
    -32602,
    "query exceeds max results 20000, retry with the range 1000-10999",
    5_000,
  ],
  ["geth", -32000, "exceed maximum block range: 5000", 5_000],
  ["geth's time", -32002, "request timed out", 5_000],
  ["Erigon", -32000, "query block range exceeds server limit, narrow your filter: 1000", 1_000],
  ["Erigon's logs", -32000, "query returns too many logs, narrow your filter: 20000", 5_000],
  ["Nethermind", -32005, "Too many logs requested. Max logs per response is 1000.", 5_000],
  [
    "Cloudflare",
    -32047,
    "Invalid eth_getLogs request. 'fromBlock'-'toBlock' range too large. Max range: 800",
    800,
  ],
  ["publicnode", -32701, "exceed maximum block range: 5000", 5_000],
  ["llamarpc", -32000, "query exceeds max results 1000", 5_000],
  ["BlockPI", -32602, "eth_getLogs is limited to 1024 block range", 1_024],
  [
    "Avalanche",
    -32000,
    "requested too many blocks from 1000 to 10999, maximum is set to 2048",
    2_048,
  ],
  ["thirdweb", -32000, "Maximum allowed number of requested blocks is 1000", 1_000],
  ["Base", -32000, "block range too large", 5_000],
  ["Coinbase", -32602, "please limit the query to at most 1,000 blocks", 1_000],
  ["Optimism", -32020, "backend response too large", 5_000],
  ["Arbitrum", -32000, "logs matched by query exceeds limit of 10000", 5_000],
  [
    "Chainstack",
    -32602,
    "Block range limit exceeded. See more details at https://docs.chainstack.com",
    5_000,
  ],
  [
    "Morph",
    -32000,
    "block range is larger than max block range, block range = 10000, max block range = 5000",
    5_000,
  ],
  ["Merkle", -32000, "eth_getLogs range is too large, max is 1k blocks", 1_000],
  ["Blast", -32600, "exceeds the range allowed for your plan (10000 > 500)", 500],
  ["dRPC's free plan", 35, "ranges over 1000 blocks are not supported on free plan", 1_000],
  ["dRPC's time", 30, "Request timeout on the free tier, please upgrade to a paid one", 5_000],
  ["1RPC's range", -32602, "eth_getLogs is limited to 0 - 50 blocks range", 50],
  ["a proposal of another range", -32602, "this block range should work: [0x0, 0x7]", 5_000],
  ["Tenderly", -32602, "invalid params", 5_000],
  ["1RPC", -32000, "response size should not greater than 10000000 bytes", 5_000],
  ["nobody that is known", -31337, "no way", 5_000],
];

for (const [who, code, message, next] of TEXTS) {
  Deno.test(`settlementLogs() goes on with ${next} blocks after the error of ${who}`, async () => {
    const chain = new LogChain({
      settled: (block) => block % 600 === 0,
      refuse: (from, to) => to - from + 1 > next ? { code, message } : undefined,
    });
    const range = { from: 1_000, to: 90_999, settlementContract: CONTRACT };
    const logs = await Array.fromAsync(settlementLogs(chain, range, { firstWindow: 10_000 }));
    assertEquals(logs.map(({ blockNumber }) => blockNumber), multiples(600, 1_000, 90_999));
    const [first, second] = chain.spans.map(([from, to]) => to - from + 1);
    assertEquals([first, second], [10_000, next]);
  });
}

function multiples(of: number, from: number, to: number): number[] {
  return Array.from({ length: to + 1 - from }, (_, place) => from + place)
    .filter((block) => block % of === 0);
}
