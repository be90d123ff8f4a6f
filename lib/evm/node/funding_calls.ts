import { addressWord, numberWord } from "../hex/abi_words.ts";
import type { FundingQuestion } from "./funding.ts";
import type { StateCall } from "./pinned_calls.ts";
import type { ContractCall } from "./token_calls.ts";

/** Selector of `vaultRelayer()` of the settlement contract. */
export const RELAYER_CALL = "0x9b552cc2";
/** Selector of `vault()` of the settlement contract: the Balancer vault. */
export const VAULT_CALL = "0xfbfa77cf";
/** Selector of `balanceOf(address)`. */
const BALANCE_CALL = "0x70a08231";
/** Selector of `allowance(address,address)`. */
const ALLOWANCE_CALL = "0xdd62ed3e";
/** Selector of `hasApprovedRelayer(address,address)` of the vault. */
const APPROVED_CALL = "0xfec90d72";
/** Selector of `getInternalBalance(address,address[])` of the vault. */
const INTERNAL_CALL = "0x0f5a6efa";
/** The allowance that the service counts for balances inside the vault. */
const UNLIMITED = 2n ** 256n - 1n;

/** A question with its contracts. */
export interface FundingContracts extends Required<Omit<FundingQuestion, "chainId">> {
  /** The contract that takes tokens. */
  readonly relayer: string;
  /** The Balancer vault; `null` where it is not needed. */
  readonly vault: string | null;
}

/** What the calls returned, as numbers. */
export interface FundingAmounts {
  /** Balance of the token. */
  readonly balanceAtoms: bigint;
  /** Native balance; `0n` where it does not count. */
  readonly nativeAtoms: bigint;
  /** What may be taken. */
  readonly allowanceAtoms: bigint;
  /** Whether the relayer is approved in the vault; `null` where that does not matter. */
  readonly isRelayerApproved: boolean | null;
}

/** A call, and the contract that does not answer if it returns nothing. */
interface FundingCall {
  readonly call: StateCall;
  readonly read: (data: string) => bigint | null;
  readonly contract: string;
}

/** What to read: the balance, the allowance or the approval, what else belongs to them. */
export function fundingCalls(
  contracts: FundingContracts,
): Readonly<Record<string, FundingCall>> {
  const { sellToken, owner, sellTokenBalance, wrapsNative, relayer, vault } = contracts;
  const native = wrapsNative
    ? { native: { call: { nativeOf: owner }, read: quantityIn, contract: owner } }
    : {};
  const balance = one(call(sellToken, BALANCE_CALL, owner));
  if (vault === null) {
    return { balance, allowance: one(call(sellToken, ALLOWANCE_CALL, owner, relayer)), ...native };
  }
  const approved = one(call(vault, APPROVED_CALL, owner, relayer));
  return sellTokenBalance === "internal"
    ? {
      balance: { ...one(internalCall(vault, owner, sellToken)), read: onlyOf },
      approved,
      ...native,
    }
    : {
      balance,
      allowance: one(call(sellToken, ALLOWANCE_CALL, owner, vault)),
      approved,
      ...native,
    };
}

/** The amounts, as the service counts them. */
export function fundingAmounts(read: Readonly<Record<string, bigint>>): FundingAmounts {
  const { balance, allowance = UNLIMITED, approved, native = 0n } = read;
  const isRelayerApproved = approved === undefined ? null : approved !== 0n;
  return {
    balanceAtoms: balance!,
    nativeAtoms: native,
    allowanceAtoms: isRelayerApproved === false ? 0n : allowance,
    isRelayerApproved,
  };
}

/** An address that a function returned; `null` if it returned none. */
export function addressIn(data: string | undefined): string | null {
  const [, digits] = /^0x0{24}([0-9a-f]{40})/i.exec(data ?? "") ?? [];
  return digits === undefined || /^0+$/.test(digits) ? null : `0x${digits.toLowerCase()}`;
}

function one(made: ContractCall): FundingCall {
  return { call: made, read: wordIn, contract: made.to };
}

function call(to: string, selector: string, ...addresses: string[]): ContractCall {
  const words = addresses.map((address) => addressWord(address).slice(2)).join("");
  return { to: `0x${to.slice(2)}`, data: `0x${selector.slice(2)}${words}` };
}

function internalCall(vault: string, owner: string, token: string): ContractCall {
  const words = [addressWord(owner), numberWord(64), numberWord(1), addressWord(token)]
    .map((word) => word.slice(2)).join("");
  return { to: `0x${vault.slice(2)}`, data: `0x${INTERNAL_CALL.slice(2)}${words}` };
}

/** The first word that a function returned; `null` if it returned none. */
function wordIn(data: string): bigint | null {
  return /^0x[0-9a-f]{64}/i.test(data) ? BigInt(data.slice(0, 66)) : null;
}

/** A native balance: a word from a contract, a number with fewer digits from the node itself. */
function quantityIn(data: string): bigint | null {
  return /^0x[0-9a-f]{1,64}$/i.test(data) ? BigInt(data) : null;
}

/** The only number of a list that a function returned; `null` if it returned another. */
function onlyOf(data: string): bigint | null {
  const [, number] = /^0x0{62}200{63}1([0-9a-f]{64})/i.exec(data) ?? [];
  return number === undefined ? null : BigInt(`0x${number}`);
}
