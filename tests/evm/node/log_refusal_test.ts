import { assertEquals, assertLessOrEqual } from "@std/assert";
import { settlementLogs } from "orderlens/evm";
import { CONTRACT, LogChain } from "../log_chain.ts";

/** Errors of providers and clients as their users reported them, to a query for 10,000 blocks. */
const TEXTS: [who: string, code: number, message: string][] = [
  ["Infura", -32005, "query returned more than 10000 results"],
  [
    "Infura with a range",
    -32005,
    "query returned more than 10000 results. Try with this block range [0x3E8, 0xBB7].",
  ],
  ["Infura of 2026", -32602, "range 1000000 exceeds limit of 1000"],
  ["Infura's time", -32005, "query timeout exceeded"],
  ["old Infura", -32005, "query returned more than 1000 results"],
  ["Alchemy", -32602, "Log response size exceeded. Please reduce query block range."],
  [
    "Alchemy with a range",
    -32602,
    "Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range and no limit on the response size, or you can request any block range with a cap of 10K logs in the response. Based on your parameters and the response size limit, this block range should work: [0x3e8, 0x9c3]",
  ],
  [
    "Alchemy of a free plan",
    -32600,
    "You can make eth_getLogs requests with up to a 500 block range. Based on your parameters, this block range should work: [0x3e8, 0x5db]",
  ],
  [
    "Alchemy's time",
    -32000,
    "Query timeout exceeded. Consider reducing your block range. Based on your parameters and the response size limit, this block range should work: [0x3e8, 0xbb7]",
  ],
  ["QuickNode", -32614, "eth_getLogs is limited to a 5,000 range"],
  ["QuickNode's free plan", -32615, "eth_getLogs is limited to a 5 range"],
  ["Ankr", -32600, "block range is too wide"],
  ["dRPC", 35, "ranges over 1000 blocks are not supported on freetier"],
  ["reth", -32602, "query exceeds max block range 5000"],
  [
    "reth's results",
    -32602,
    "query exceeds max results 20000, retry with the range 1000-3999",
  ],
  [
    "reth with the same range",
    -32602,
    "query exceeds max results 20000, retry with the range 1000-10999",
  ],
  ["geth", -32000, "exceed maximum block range: 5000"],
  ["geth's time", -32002, "request timed out"],
  ["Erigon", -32000, "query block range exceeds server limit, narrow your filter: 1000"],
  ["Erigon's logs", -32000, "query returns too many logs, narrow your filter: 20000"],
  ["Nethermind", -32005, "Too many logs requested. Max logs per response is 1000."],
  [
    "Cloudflare",
    -32047,
    "Invalid eth_getLogs request. 'fromBlock'-'toBlock' range too large. Max range: 800",
  ],
  ["publicnode", -32701, "exceed maximum block range: 5000"],
  ["llamarpc", -32000, "query exceeds max results 1000"],
  ["BlockPI", -32602, "eth_getLogs is limited to 1024 block range"],
  [
    "Avalanche",
    -32000,
    "requested too many blocks from 1000 to 10999, maximum is set to 2048",
  ],
  ["thirdweb", -32000, "Maximum allowed number of requested blocks is 1000"],
  ["Base", -32000, "block range too large"],
  ["Coinbase", -32602, "please limit the query to at most 1,000 blocks"],
  ["Optimism", -32020, "backend response too large"],
  ["Arbitrum", -32000, "logs matched by query exceeds limit of 10000"],
  [
    "Chainstack",
    -32602,
    "Block range limit exceeded. See more details at https://docs.chainstack.com",
  ],
  [
    "Morph",
    -32000,
    "block range is larger than max block range, block range = 10000, max block range = 5000",
  ],
  ["Merkle", -32000, "eth_getLogs range is too large, max is 1k blocks"],
  ["Blast", -32600, "exceeds the range allowed for your plan (10000 > 500)"],
  ["dRPC's free plan", 35, "ranges over 1000 blocks are not supported on free plan"],
  ["dRPC's time", 30, "Request timeout on the free tier, please upgrade to a paid one"],
  ["1RPC's range", -32602, "eth_getLogs is limited to 0 - 50 blocks range"],
  ["a proposal of another range", -32602, "this block range should work: [0x0, 0x7]"],
  ["Tenderly", -32602, "invalid params"],
  ["1RPC", -32000, "response size should not greater than 10000000 bytes"],
  ["nobody that is known", -31337, "no way"],
];

for (const [who, code, message] of TEXTS) {
  Deno.test(`settlementLogs() goes on with fewer blocks after the error of ${who}`, async () => {
    const chain = new LogChain({
      settled: (block) => block % 600 === 0,
      refuse: (from, to) => to - from + 1 > 500 ? { code, message } : undefined,
    });
    const range = { from: 1_000, to: 90_999, settlementContract: CONTRACT };
    const logs = await Array.fromAsync(settlementLogs(chain, range, { firstWindow: 10_000 }));
    assertEquals(logs.map(({ blockNumber }) => blockNumber), multiples(600, 1_000, 90_999));
    const sizes = chain.windows.map(([from, to]) => to - from + 1);
    assertEquals(sizes.slice(0, 6), [10_000, 5_000, 2_500, 1_250, 625, 312]);
    assertLessOrEqual(chain.windows.length, 6 + 1.5 * 90_000 / 312);
  });
}

function multiples(of: number, from: number, to: number): number[] {
  return Array.from({ length: to + 1 - from }, (_, place) => from + place)
    .filter((block) => block % of === 0);
}
