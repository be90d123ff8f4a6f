import { decodeFunctionData, encodeFunctionData } from "viem/utils";
import { CALLS_ABI, TRAMPOLINE_ABI } from "../abis.ts";
import { hexText, wholeBytes } from "../hex.ts";
import { lowerCase } from "./abi_values.ts";

const NO_DEADLINE = 2n ** 256n - 1n;

/** A trade with pools through a router: one amount fixed, the other bounded. */
interface RouterSwap {
  /** Which amount is fixed. */
  readonly fixed: "paid" | "bought";
  /** The fixed amount, in atoms. */
  readonly amount: bigint;
  /** The minimum to buy, or the maximum to pay, in atoms. */
  readonly bound: bigint;
  /** Tokens, from the one paid to the one bought. */
  readonly path: readonly string[];
  /** Receiver of the bought tokens. */
  readonly to: string;
}

/**
 * The calldata of a swap by the router of constant-product pools.
 *
 * @see {@link https://github.com/Uniswap/v2-periphery/blob/master/contracts/UniswapV2Router02.sol | UniswapV2Router02}
 */
export function encodeRouterSwap({ fixed, amount, bound, path, to }: RouterSwap): string {
  return encodeFunctionData({
    abi: CALLS_ABI,
    functionName: fixed === "paid" ? "swapExactTokensForTokens" : "swapTokensForExactTokens",
    args: [amount, bound, path.map(hexText), hexText(to), NO_DEADLINE],
  });
}

/** The calldata of `withdraw(wad)`: the caller unwraps atoms of the wrapped native token. */
export function encodeWithdraw(atoms: bigint): string {
  return encodeFunctionData({ abi: CALLS_ABI, functionName: "withdraw", args: [atoms] });
}

/** The calldata of `setPreSignature(orderUid, true)` of the settlement contract. */
export function encodeSetPreSignature(orderUid: string): string {
  return encodeFunctionData({
    abi: CALLS_ABI,
    functionName: "setPreSignature",
    args: [hexText(orderUid), true],
  });
}

/** Selector of `execute((address,bytes,uint256)[])`. */
const EXECUTE_SELECTOR = "0x760f2a0b";

/**
 * The hooks that an interaction has the trampoline execute, in order; empty for any other
 * interaction.
 */
export function decodeHooks(callData: string): HookCall[] {
  if (!callData.toLowerCase().startsWith(EXECUTE_SELECTOR)) return [];
  try {
    const { args } = decodeFunctionData({ abi: TRAMPOLINE_ABI, data: wholeBytes(callData) });
    return [...lowerCase(args[0])];
  } catch {
    // Another contract's function of the same selector.
    return [];
  }
}

/** A contract call that a trader requests before or after the trade. */
export interface HookCall {
  /** Contract to call. */
  readonly target: string;
  /** Calldata. */
  readonly callData: string;
  /** Gas to forward, in gas units. */
  readonly gasLimit: bigint;
}

/**
 * The calldata with which the hooks trampoline executes all these calls.
 *
 * @see {@link https://github.com/cowprotocol/hooks-trampoline/blob/main/src/HooksTrampoline.sol | HooksTrampoline}
 */
export function encodeHooks(hooks: readonly HookCall[]): string {
  const calls = hooks.map(({ target, callData, gasLimit }) => ({
    target: hexText(target),
    callData: hexText(callData),
    gasLimit,
  }));
  return encodeFunctionData({ abi: TRAMPOLINE_ABI, functionName: "execute", args: [calls] });
}
