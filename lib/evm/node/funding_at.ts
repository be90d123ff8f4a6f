import { InputError } from "../../errors/mod.ts";
import {
  checkOptions,
  type OptionRules,
  requireWord,
  wholeFrom,
} from "../../errors/option_rules.ts";
import { addressWord, numberWord } from "../hex.ts";
import {
  type BlockHeader,
  blockTag,
  type Funding,
  type FundingQuestion,
  type FundingUnknown,
  fundingUnknown,
  headerCall,
  readHeader,
} from "./block_at.ts";
import { CHAIN_ID_CALL, nodeOf, type NodeSource, requireChainIn } from "./node_source.ts";
import {
  callsAt,
  ethCall,
  refusalIn,
  returnedBy,
  type StateCall,
  type StateRefusal,
} from "./contract_calls.ts";
import type { ContractCall } from "./read_tokens.ts";
import { RPC_OPTIONS, type RpcNode, type RpcOptions } from "./rpc_batches.ts";

/** Options of {@linkcode fundingAt}. */
export interface FundingOptions extends RpcOptions {
  /** Block whose state to read. @default {the node's latest block} */
  readonly block?: number;
}

const ACTION = "Cannot get the funds of an account";
const WANTED = "the funds of an account";
const BALANCES = ["erc20", "external", "internal"] as const;
/** Allowed values of the {@linkcode FundingOptions}. */
export const FUNDING_OPTIONS: OptionRules<FundingOptions> = { ...RPC_OPTIONS, block: wholeFrom(0) };

/**
 * What the owner of an order has in the state of a block, and what a settlement may take of it.
 *
 * A settlement can take `min(balanceAtoms + nativeAtoms, allowanceAtoms)`: the allowance is that of the
 * vault relayer which the settlement contract names; for `external` and `internal` that of the
 * Balancer vault, if the owner has approved the relayer there. Funds that an order's pre-interactions
 * or hooks bring are not in it: they exist only within a settlement.
 *
 * Two requests, three where the chain lacks the Multicall3 contract. All amounts are of one block,
 * which is checked: by what the contract sees as its block, and by the block's hash before and after.
 *
 * @param source A node of the order's network, or an equivalent: its URL, a sandbox. Keys in a URL are
 * never shown.
 * @param question The owner, the token, and where it is kept: an order has these fields.
 * @param options The block, and options of requests.
 * @returns The funds; or why the node does not tell them, never those of another block:
 * `state_not_kept` for a block that it has pruned, `no_such_block`, `calls_not_served` by a recording,
 * `contract_does_not_answer` where the token or the settlement contract did not exist.
 * @throws {InputError} If the question, `source` or an option is invalid.
 * @throws {MismatchError} If the answers are of another block, or it was replaced meanwhile.
 * @throws {NetworkError} If the node cannot be reached.
 * @throws {TimeoutError} If it times out.
 * @throws {HttpError} If it returns an invalid answer, or another error.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/account-balances/src/simulation.rs | how the service counts}
 *
 * @example An owner of a sandbox, now and in a block whose state is gone
 * ```ts
 * import { connect } from "orderlens";
 * import { fundingAt } from "orderlens/evm";
 * import { openSandbox } from "orderlens/sandbox";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const sandbox = await openSandbox({ seed: 7, auctions: 20 });
 * const book = connect(sandbox);
 * const [found] = await Array.fromAsync(book.competitions({ last: 1 }));
 * const { sellToken, owner } = await book.order(found!.competition!.auction.orders[0]!);
 * const question = { sellToken, owner, settlementContract: book.settlementContract };
 *
 * const now = await fundingAt(sandbox, question);
 * assert(!("reason" in now));
 * assertEquals(now.usableAtoms, now.balanceAtoms);
 *
 * const then = await fundingAt(sandbox, question, { block: now.block - 5 });
 * assert("reason" in then);
 * assertEquals(then.reason, "state_not_kept");
 * ```
 */
export async function fundingAt(
  source: NodeSource,
  question: FundingQuestion,
  options: FundingOptions = {},
): Promise<Funding | FundingUnknown> {
  checkOptions(options, FUNDING_OPTIONS, ACTION);
  const { block, ...sending } = options;
  const asked = checked(question);
  const ask = nodeOf(source, WANTED, sending);
  const opened = await openBlock(ask, asked, { block, chainId: question.chainId });
  if ("reason" in opened) return opened;
  const { header, contracts } = opened;
  const parts = Object.entries(fundingCalls(contracts));
  const answers = await callsAt(ask, header, {
    calls: parts.map(([, { call }]) => call),
    wanted: WANTED,
  });
  if ("reason" in answers) return refused(answers, header.number);
  const amounts: Record<string, bigint> = {};
  for (const [place, [name, { read, contract }]] of parts.entries()) {
    const amount = read(answers.returned[place] ?? "");
    if (amount === null) return silent(contract, name, header.number);
    amounts[name] = amount;
  }
  return fundingOf(opened, amounts);
}

/** A block, and the contracts that matter in it. */
interface OpenedBlock {
  readonly header: BlockHeader;
  readonly contracts: FundingContracts;
}

/** Finds the block and the contracts, which never change once they exist. */
async function openBlock(
  ask: RpcNode,
  question: CheckedQuestion,
  { block, chainId }: { readonly block: number | undefined; readonly chainId: number | undefined },
): Promise<OpenedBlock | FundingUnknown> {
  const { settlementContract, sellTokenBalance } = question;
  const tag = blockTag(block ?? "latest");
  const hasVault = sellTokenBalance !== "erc20";
  const [found, ...others] = await ask([
    headerCall(block ?? "latest"),
    ethCall(settlementContract, RELAYER_CALL, tag),
    ...hasVault ? [ethCall(settlementContract, VAULT_CALL, tag)] : [],
    ...chainId === undefined ? [] : [CHAIN_ID_CALL],
  ]);
  const named = others.slice(0, hasVault ? 2 : 1);
  if (chainId !== undefined) requireChainIn(others.at(-1), chainId, ACTION);
  const refusal = named.map(refusalIn).find((each) => each !== null) ?? null;
  if (refusal?.reason === "calls_not_served") return refused(refusal, block ?? null);
  const header = readHeader(found!, block ?? null, WANTED);
  if (header === null) {
    const detail = `The node does not have ${block === undefined ? "any block" : `block ${block}`}`;
    return fundingUnknown("no_such_block", block ?? null, detail);
  }
  if (refusal !== null) return refused(refusal, header.number);
  const [relayer, vault] = named.map((answer) => addressIn(returnedBy(answer, WANTED)));
  if (relayer == null) return silent(settlementContract, "vaultRelayer", header.number);
  if (hasVault && vault == null) return silent(settlementContract, "vault", header.number);
  return { header, contracts: { ...question, relayer, vault: vault ?? null } };
}

function fundingOf(
  { header, contracts: { relayer, vault } }: OpenedBlock,
  read: Readonly<Record<string, bigint>>,
): Funding {
  const amounts = fundingAmounts(read);
  const { balanceAtoms, nativeAtoms, allowanceAtoms } = amounts;
  const held = balanceAtoms + nativeAtoms;
  return {
    block: header.number,
    blockHash: header.hash,
    at: Temporal.Instant.fromEpochMilliseconds(header.timestamp * 1_000),
    ...amounts,
    usableAtoms: held < allowanceAtoms ? held : allowanceAtoms,
    relayer,
    spender: vault ?? relayer,
  };
}

function refused({ reason, said }: StateRefusal, block: number | null): FundingUnknown {
  const where = block === null ? "the latest block" : `block ${block}`;
  const what = reason === "state_not_kept"
    ? "does not keep the state of"
    : "does not execute calls at";
  return fundingUnknown(reason, block, `The node ${what} ${where}: ${said}`);
}

function silent(contract: string, what: string, block: number): FundingUnknown {
  const detail = `${contract} does not answer \`${what}\` in block ${block}`;
  return fundingUnknown("contract_does_not_answer", block, detail);
}

type CheckedQuestion = Required<Omit<FundingQuestion, "chainId">>;

function checked(question: FundingQuestion): CheckedQuestion {
  const { sellToken, owner, settlementContract, ...kept } = Object(question) as FundingQuestion;
  for (const [name, address] of Object.entries({ sellToken, owner, settlementContract })) {
    if (typeof address === "string" && /^0x[0-9a-f]{40}$/i.test(address)) continue;
    throw new InputError(`${ACTION}: \`${name}\` is not an address`, {
      facts: { found: String(address).slice(0, 80) },
      remedy: "Pass 0x and 40 hex digits",
    });
  }
  const { sellTokenBalance: kind = "erc20", wrapsNative = false } = kept;
  requireWord(kind, BALANCES, { action: ACTION, what: "sellTokenBalance" });
  return {
    sellToken: sellToken.toLowerCase(),
    owner: owner.toLowerCase(),
    settlementContract: settlementContract.toLowerCase(),
    sellTokenBalance: kind,
    wrapsNative,
  };
}

/** Selector of `vaultRelayer()` of the settlement contract. */
const RELAYER_CALL = "0x9b552cc2";
/** Selector of `vault()` of the settlement contract: the Balancer vault. */
const VAULT_CALL = "0xfbfa77cf";
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
interface FundingContracts extends Required<Omit<FundingQuestion, "chainId">> {
  /** The contract that takes tokens. */
  readonly relayer: string;
  /** The Balancer vault; `null` where it is not needed. */
  readonly vault: string | null;
}

/** What the calls returned, as numbers. */
interface FundingAmounts {
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
function fundingCalls(
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
function fundingAmounts(read: Readonly<Record<string, bigint>>): FundingAmounts {
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
function addressIn(data: string | undefined): string | null {
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
