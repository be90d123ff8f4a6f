import { encodeFunctionData } from "viem/utils";
import { hexText } from "../hex/hex_text.ts";
import type { StateCall } from "./pinned_calls.ts";

const UID_INPUT = [{ name: "orderUid", type: "bytes" }] as const;
const NUMBER = [{ name: "", type: "uint256" }] as const;

/** Functions that tell what settlements make of an order, of the settlement contract and of wallets. */
const ORDER_ABI = [
  {
    type: "function",
    name: "filledAmount",
    stateMutability: "view",
    inputs: UID_INPUT,
    outputs: NUMBER,
  },
  {
    type: "function",
    name: "preSignature",
    stateMutability: "view",
    inputs: UID_INPUT,
    outputs: NUMBER,
  },
  {
    type: "function",
    name: "isValidSignature",
    stateMutability: "view",
    inputs: [{ name: "digest", type: "bytes32" }, { name: "signature", type: "bytes" }],
    outputs: [{ name: "", type: "bytes4" }],
  },
] as const;

/** What the contract stores for a pre-signed order: keccak256("GPv2Signing.Scheme.PreSign"). */
export const PRE_SIGNED = "0xf59c009283ff87aa78203fc4d9c2df025ee851130fb69cc3e068941f6b5e2d6f";
/** How the word begins that a wallet returns for a valid signature; the contract reads no more of it. */
const VALID = /^0x1626ba7e[0-9a-f]{56}/i;
/** What the contract counts as filled of an order that was cancelled on the chain. */
export const CANCELLED: bigint = 2n ** 256n - 1n;

/** The call for what is filled of an order. */
export function filledCall(settlementContract: string, uid: string): StateCall {
  return { to: hexText(settlementContract), data: encoded("filledAmount", uid) };
}

/** The call for whether an order is pre-signed. */
export function presignCall(settlementContract: string, uid: string): StateCall {
  return { to: hexText(settlementContract), data: encoded("preSignature", uid) };
}

/** The call for whether a wallet takes a signature for its own, as the settlement contract asks. */
export function walletCall(
  settlementContract: string,
  { owner, digest, signature }: { owner: string; digest: string; signature: string },
): StateCall {
  const data = encodeFunctionData({
    abi: ORDER_ABI,
    functionName: "isValidSignature",
    args: [hexText(digest), hexText(signature)],
  });
  return { from: settlementContract, to: hexText(owner), data };
}

/** Whether the contract has the order for pre-signed; `null` if it does not say. */
export function isPresigned(returned: string | undefined): boolean | null {
  const word = returned?.toLowerCase() ?? "";
  return /^0x[0-9a-f]{64}$/.test(word) ? word === PRE_SIGNED : null;
}

/** Whether a wallet says that a signature is valid, in the form that the contract requires. */
export function isApproved(returned: string | undefined): boolean {
  return VALID.test(returned ?? "");
}

/** What is filled; `null` if the contract does not say. */
export function filledIn(returned: string | undefined): bigint | null {
  return /^0x[0-9a-f]{64}$/i.test(returned ?? "") ? BigInt(returned!) : null;
}

function encoded(functionName: "filledAmount" | "preSignature", uid: string): `0x${string}` {
  return encodeFunctionData({ abi: ORDER_ABI, functionName, args: [hexText(uid)] });
}
