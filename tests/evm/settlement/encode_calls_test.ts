import { assertEquals, assertGreater } from "@std/assert";
import { decodeFunctionData, type Hex, parseAbi } from "viem";
import { decodeSettlement } from "orderlens/evm";
import {
  encodeRouterSwap,
  encodeSetPreSignature,
  encodeWithdraw,
} from "../../../lib/evm/settlement/encode_calls.ts";
import { readJson } from "../../../tools/metrics/read_json.ts";

const ABI = parseAbi([
  "function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)",
  "function swapTokensForExactTokens(uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline)",
  "function withdraw(uint256 wad)",
  "function setPreSignature(bytes orderUid, bool signed)",
]);

const { settlements } = await readJson(
  new URL("../../../data/recorded/market_1.chain.json", import.meta.url).pathname,
) as { settlements: Record<string, { input: string }> };

Deno.test("encodeRouterSwap() writes the calldata that solvers sent in a recorded market", () => {
  const swaps = Object.values(settlements)
    .flatMap(({ input }) => decodeSettlement(input).interactions.intra)
    .map(({ callData }) => callData.toLowerCase())
    .filter((callData) => callData.startsWith("0x8803dbee"));
  assertGreater(swaps.length, 500);
  for (const callData of swaps) {
    const { functionName, args } = decodeFunctionData({ abi: ABI, data: callData as Hex });
    if (functionName !== "swapTokensForExactTokens") throw new Error(functionName);
    const [amount, bound, path, to, deadline] = args;
    assertEquals(deadline, 2n ** 256n - 1n);
    assertEquals(encodeRouterSwap({ fixed: "bought", amount, bound, path, to }), callData);
  }
});

Deno.test("calls of the router, the wrapped native token and the settlement contract are decoded again", () => {
  const [one, other, to] = ["11", "22", "33"].map((byte) => `0x${byte.repeat(20)}`) as Hex[];
  const swap = { fixed: "paid", amount: 5n, bound: 4n, path: [one!, other!], to: to! } as const;
  assertEquals(decodeFunctionData({ abi: ABI, data: encodeRouterSwap(swap) as Hex }), {
    functionName: "swapExactTokensForTokens",
    args: [5n, 4n, [one!, other!], to!, 2n ** 256n - 1n],
  });
  assertEquals(decodeFunctionData({ abi: ABI, data: encodeWithdraw(7n) as Hex }), {
    functionName: "withdraw",
    args: [7n],
  });
  const uid = `0x${"44".repeat(56)}` as const;
  assertEquals(decodeFunctionData({ abi: ABI, data: encodeSetPreSignature(uid) as Hex }), {
    functionName: "setPreSignature",
    args: [uid, true],
  });
});
