import { encodeFunctionData } from "viem/utils";
import { hexText } from "../hex/hex_text.ts";
import { TRAMPOLINE_ABI } from "./trampoline_abi.ts";

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
