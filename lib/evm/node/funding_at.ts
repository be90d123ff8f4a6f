import { InputError } from "../../errors/mod.ts";
import {
  checkOptions,
  type OptionRules,
  requireWord,
  wholeFrom,
} from "../../errors/option_rules.ts";
import {
  type BlockHeader,
  blockTag,
  type Funding,
  type FundingQuestion,
  type FundingUnknown,
  fundingUnknown,
  headerCall,
  noSuchBlock,
  readHeader,
  silent,
} from "./block_at.ts";
import { CHAIN_ID_CALL, nodeOf, type NodeSource, requireChainIn } from "./node_source.ts";
import {
  callsAt,
  nativeBalance,
  refusalIn,
  rpcCall,
  type StateCall,
  type StateRefusal,
  valueIn,
} from "./contract_calls.ts";
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
  const calls = fundingCalls(contracts);
  const answers = await callsAt(ask, header, { calls, wanted: WANTED });
  if ("reason" in answers) return refused(answers, header.number);
  const amounts = new Map<Part, bigint>();
  for (const [place, { part, to }] of calls.entries()) {
    const amount = amountIn(answers[place]);
    if (amount === undefined) return silent(to, part, header.number);
    amounts.set(part, amount);
  }
  return fundingOf(opened, amounts);
}

/** A returned number, the only number of a list, or a flag as 1 or 0. */
function amountIn(value: unknown): bigint | undefined {
  if (Array.isArray(value)) return value.length === 1 ? amountIn(value[0]) : undefined;
  if (typeof value === "boolean") return value ? 1n : 0n;
  return typeof value === "bigint" ? value : undefined;
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
  const calls = [RELAYER, ...hasVault ? [VAULT] : []]
    .map((name): StateCall => ({ to: settlementContract, name }));
  const [found, ...others] = await ask([
    headerCall(block ?? "latest"),
    ...calls.map((call) => rpcCall(call, tag)),
    ...chainId === undefined ? [] : [CHAIN_ID_CALL],
  ]);
  const named = others.slice(0, calls.length);
  if (chainId !== undefined) requireChainIn(others.at(-1), chainId, ACTION);
  const refusal = named.map(refusalIn).find((each) => each !== null) ?? null;
  if (refusal?.reason === "calls_not_served") return refused(refusal, block ?? null);
  const header = readHeader(found!, block ?? null, WANTED);
  if (header === null) return noSuchBlock(block);
  if (refusal !== null) return refused(refusal, header.number);
  const contracts = named.map((answer, place) => valueIn(calls[place]!, answer, WANTED));
  const missing = contracts.findIndex((one) => typeof one !== "string" || /^0x0+$/.test(one));
  if (missing >= 0) return silent(settlementContract, calls[missing]!.name, header.number);
  const [relayer, vault = null] = contracts as string[];
  return { header, contracts: { ...question, relayer: relayer!, vault } };
}

/** The amounts, as the service counts them. */
function fundingOf(
  { header, contracts: { relayer, vault } }: OpenedBlock,
  amounts: ReadonlyMap<Part, bigint>,
): Funding {
  const balanceAtoms = amounts.get("balance")!;
  const nativeAtoms = amounts.get("native") ?? 0n;
  const approved = amounts.get("approved");
  const allowanceAtoms = approved === 0n ? 0n : amounts.get("allowance") ?? UNLIMITED;
  const held = balanceAtoms + nativeAtoms;
  return {
    block: header.number,
    blockHash: header.hash,
    at: Temporal.Instant.fromEpochMilliseconds(header.timestamp * 1_000),
    balanceAtoms,
    nativeAtoms,
    allowanceAtoms,
    isRelayerApproved: approved === undefined ? null : approved === 1n,
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

/** The functions of the settlement contract that name the other two. */
const [RELAYER, VAULT] = ["vaultRelayer", "vault"] as const;
/** The allowance that the service counts for balances inside the vault. */
const UNLIMITED = 2n ** 256n - 1n;

/** A question with its contracts. */
interface FundingContracts extends CheckedQuestion {
  /** The contract that takes tokens. */
  readonly relayer: string;
  /** The Balancer vault; `null` where it is not needed. */
  readonly vault: string | null;
}

/** What is read: some parts do not matter to every question. */
type Part = "balance" | "allowance" | "approved" | "native";

/** What to read: the balance, the allowance or the approval, what else belongs to them. */
function fundingCalls(contracts: FundingContracts): (StateCall & { readonly part: Part })[] {
  const { sellToken, owner, sellTokenBalance, wrapsNative, relayer, vault } = contracts;
  const isInternal = vault !== null && sellTokenBalance === "internal";
  const allowed = [owner, vault ?? relayer];
  return [
    isInternal
      ? { part: "balance", to: vault, name: "getInternalBalance", args: [owner, [sellToken]] }
      : { part: "balance", to: sellToken, name: "balanceOf", args: [owner] },
    ...isInternal
      ? []
      : [{ part: "allowance", to: sellToken, name: "allowance", args: allowed } as const],
    ...vault === null ? [] : [
      { part: "approved", to: vault, name: "hasApprovedRelayer", args: [owner, relayer] } as const,
    ],
    ...wrapsNative ? [{ part: "native", ...nativeBalance(owner) } as const] : [],
  ];
}
