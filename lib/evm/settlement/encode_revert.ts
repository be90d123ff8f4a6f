import { encodeErrorResult } from "viem/utils";

const ERROR_ABI = [{
  type: "error",
  name: "Error",
  inputs: [{ name: "reason", type: "string" }],
}] as const;

/** The return data of a call that reverts with a reason. */
export function encodeRevert(reason: string): string {
  return encodeErrorResult({ abi: ERROR_ABI, errorName: "Error", args: [reason] });
}
