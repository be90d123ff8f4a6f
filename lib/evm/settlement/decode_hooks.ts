import { decodeFunctionData } from "viem/utils";
import type { HookCall } from "./encode_hooks.ts";
import { TRAMPOLINE_ABI } from "./trampoline_abi.ts";

/** Selector of `execute((address,bytes,uint256)[])`. */
const EXECUTE_SELECTOR = "0x760f2a0b";

/**
 * The hooks that an interaction has the trampoline execute, in order; empty for any other
 * interaction.
 */
export function decodeHooks(callData: string): HookCall[] {
  if (!callData.toLowerCase().startsWith(EXECUTE_SELECTOR)) return [];
  try {
    const { args: [hooks] } = decodeFunctionData({
      abi: TRAMPOLINE_ABI,
      data: `0x${callData.slice(2)}`,
    });
    return hooks.map(({ target, callData, gasLimit }) => ({
      target: target.toLowerCase(),
      callData,
      gasLimit,
    }));
  } catch {
    // Another contract's function of the same selector.
    return [];
  }
}
