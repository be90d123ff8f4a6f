import { addressWord } from "../hex/abi_words.ts";
import { nodeOf, type NodeSource } from "./node_source.ts";
import type { RpcOptions } from "./rpc_options.ts";
import { callContracts, type ContractCall } from "./token_calls.ts";

/** Selector of `vaultRelayer()` of the settlement contract. */
const RELAYER_CALL = "0x9b552cc2";
/** Selector of `balanceOf(address)`. */
const BALANCE_CALL = "0x70a08231";
/** Selector of `allowance(address,address)`. */
const ALLOWANCE_CALL = "0xdd62ed3e";
const WORD = /^0x[0-9a-f]{64}$/i;
const ADDRESS_WORD = /^0x0{24}([0-9a-f]{40})$/i;

/** Whose funds to read. */
export interface FundsQuestion {
  /** The token. */
  readonly token: string;
  /** Its owner. */
  readonly owner: string;
  /** The settlement contract, which names the contract that takes tokens from owners. */
  readonly settlementContract: string;
}

/** What an account has of a token at the latest block, and what it allows to be taken. */
export interface AccountFunds {
  /** Balance, in atoms. */
  readonly balanceAtoms: bigint;
  /** Allowance for the relayer, in atoms. */
  readonly allowanceAtoms: bigint;
  /** The contract that takes tokens from owners. */
  readonly relayer: string;
}

/**
 * Reads balance and allowance of an account at the latest block, in two round trips.
 *
 * @returns `null` if the contracts do not answer, such as those of a recorded chain.
 * @throws {NetworkError} If the node cannot be reached.
 */
export async function accountFunds(
  source: NodeSource,
  { token, owner, settlementContract }: FundsQuestion,
  options: RpcOptions = {},
): Promise<AccountFunds | null> {
  const ask = nodeOf(source, "the funds of an account", options);
  const [named] = await callContracts(ask, [call(settlementContract, RELAYER_CALL)]);
  const digits = ADDRESS_WORD.exec(named ?? "")?.[1];
  if (digits === undefined) return null;
  const relayer = `0x${digits.toLowerCase()}`;
  const [balance, allowance] = await callContracts(ask, [
    call(token, BALANCE_CALL, owner),
    call(token, ALLOWANCE_CALL, owner, relayer),
  ]);
  const [balanceAtoms, allowanceAtoms] = [numberIn(balance), numberIn(allowance)];
  if (balanceAtoms === null || allowanceAtoms === null) return null;
  return { balanceAtoms, allowanceAtoms, relayer };
}

function call(to: string, selector: string, ...addresses: string[]): ContractCall {
  const words = addresses.map((address) => addressWord(address).slice(2)).join("");
  return { to: `0x${to.slice(2)}`, data: `0x${selector.slice(2)}${words}` };
}

function numberIn(word: string | undefined): bigint | null {
  return word !== undefined && WORD.test(word) ? BigInt(word) : null;
}
