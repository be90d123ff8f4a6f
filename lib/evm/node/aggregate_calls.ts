import { decodeFunctionData, encodeFunctionResult } from "viem/utils";
import { hexText } from "../hex/hex_text.ts";
import { MULTICALL3_ABI } from "./token_calls.ts";

/** One of several calls that are made together. */
export interface AggregatedCall {
  /** The contract, in lower case. */
  readonly to: string;
  /** Calldata. */
  readonly data: string;
  /** Whether the others go on if it fails. */
  readonly allowFailure: boolean;
}

/** What one of the calls returned. */
export interface AggregatedResult {
  /** Whether it succeeded. */
  readonly success: boolean;
  /** What it returned. */
  readonly returnData: string;
}

/** The calls of `aggregate3` of Multicall3; `null` of other calldata. */
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

/** What `aggregate3` returns. */
export function encodeAggregateResults(results: readonly AggregatedResult[]): string {
  return encodeFunctionResult({
    abi: MULTICALL3_ABI,
    result: results.map(({ success, returnData }) => ({
      success,
      returnData: hexText(returnData),
    })),
  });
}
