import { decodeFunctionData, encodeFunctionResult } from "viem/utils";
import { hexText } from "../hex/hex_text.ts";
import { MULTICALL3_ABI } from "./token_calls.ts";

/** One of several calls in one transaction. */
export interface AggregatedCall {
  /** The contract, in lower case. */
  readonly to: string;
  /** Calldata. */
  readonly data: string;
  /** Whether the others continue if it fails. */
  readonly allowFailure: boolean;
}

/** The result of one of the calls. */
export interface AggregatedResult {
  /** Whether it succeeded. */
  readonly success: boolean;
  /** Return data. */
  readonly returnData: string;
}

/** The calls in calldata of `aggregate3` of Multicall3; `null` for other calldata. */
export function decodeAggregate(data: string): readonly AggregatedCall[] | null {
  try {
    const { args: [calls] } = decodeFunctionData({ abi: MULTICALL3_ABI, data: hexText(data) });
    return calls.map(({ target, callData, allowFailure }) => ({
      to: target.toLowerCase(),
      data: callData,
      allowFailure,
    }));
  } catch {
    return null;
  }
}

/** The return data of `aggregate3`. */
export function encodeAggregateResults(results: readonly AggregatedResult[]): string {
  return encodeFunctionResult({
    abi: MULTICALL3_ABI,
    result: results.map(({ success, returnData }) => ({
      success,
      returnData: hexText(returnData),
    })),
  });
}
