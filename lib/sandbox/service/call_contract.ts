import {
  addressArgument,
  addressWord,
  bytesArgument,
  numberWord,
  textResult,
} from "../../evm/hex.ts";
import { type ContractCall, RpcError } from "../../evm/node/serve_json_rpc.ts";
import {
  decodeAggregate,
  encodeAggregateResults,
  MULTICALL3,
  PRE_SIGNED,
} from "../../evm/node/contract_calls.ts";
import { domainSeparator } from "../../evm/orders/order_digest.ts";
import { HOOKS_TRAMPOLINE } from "../../networks/network.ts";
import { LARGEST_AMOUNT } from "../../units/arithmetic.ts";
import {
  AUTHENTICATOR,
  OUTSIDE,
  ROUTER,
  type SandboxToken,
  TOKENS,
  UNSUPPORTED_TOKEN,
  VAULT_RELAYER,
} from "../market/ledger.ts";
import { type Market, SETTLEMENT_CONTRACT, type SignatureVerifier } from "../market/market.ts";
import { SOLVERS } from "../market/solvers.ts";

/** A call with the block that decides whether its result is known. */
interface MarketCall extends Pick<ContractCall, "to" | "data"> {
  /** Throws unless the call reads the latest block, the only one whose state is kept. */
  readonly requireLatest: () => void;
}

/** The return data of a function of a contract; `null` if it reverts. */
type Function = (market: Market, call: MarketCall) => string | null;

const SELECTOR_END = 2 + 8;
const WORD_DIGITS = 64;
/** Selector of `isValidSignature(bytes32,bytes)`, and what it returns for a valid one. */
const VALID_SIGNATURE = "0x1626ba7e";

/**
 * The return data of a call of a contract of the market; empty at an address without a contract.
 *
 * @throws {RpcError} If the call reverts, or its result depends on a state that is not kept.
 */
export function callContract(market: Market, call: MarketCall): string | Promise<string> {
  const verifier = market.verifiers.get(call.to);
  const isSignature = call.data.startsWith(VALID_SIGNATURE);
  if (verifier !== undefined && isSignature) return verdictOf(verifier, call.data);
  const returned = returnedBy(market, call);
  if (returned === null) throw new RpcError("reverted", "execution reverted");
  return returned;
}

/** What a wallet says of a signature, padded to a word. */
async function verdictOf(verifier: SignatureVerifier, data: string): Promise<string> {
  const digest = `0x${data.slice(SELECTOR_END, SELECTOR_END + WORD_DIGITS)}`;
  const signature = bytesArgument(data, 1);
  if (signature === null) throw new RpcError("reverted", "execution reverted");
  const isValid = await verifier(digest, signature);
  return (isValid ? VALID_SIGNATURE : "0xffffffff").padEnd(2 + WORD_DIGITS, "0");
}

function functionsOf(market: Market, to: string): Readonly<Record<string, Function>> | null {
  const token = [...TOKENS, UNSUPPORTED_TOKEN].find(({ address }) => address === to);
  if (token !== undefined) return tokenFunctions(token);
  if (to === SETTLEMENT_CONTRACT) return SETTLEMENT_FUNCTIONS;
  if (to === AUTHENTICATOR) return AUTHENTICATOR_FUNCTIONS;
  if (to === MULTICALL3) return MULTICALL_FUNCTIONS;
  const isContract = [ROUTER, VAULT_RELAYER, HOOKS_TRAMPOLINE].includes(to) ||
    market.verifiers.has(to) || market.liquidity.pools.some(({ address }) => address === to);
  return isContract ? {} : null;
}

function tokenFunctions(token: SandboxToken): Readonly<Record<string, Function>> {
  const { address, symbol, decimals } = token;
  return {
    // decimals()
    "0x313ce567": () => numberWord(decimals),
    // symbol()
    "0x95d89b41": () => textResult(symbol),
    // name(), which equals the symbol
    "0x06fdde03": () => textResult(symbol),
    // totalSupply()
    "0x18160ddd": (market, call) => {
      call.requireLatest();
      return numberWord(-market.ledger.balanceOf(OUTSIDE, address));
    },
    // balanceOf(address)
    "0x70a08231": (market, call) => {
      const holder = addressArgument(call.data, 0);
      if (holder === null) return null;
      call.requireLatest();
      return numberWord(market.ledger.balanceOf(holder, address));
    },
    // allowance(address,address)
    "0xdd62ed3e": (_market, { data }) => {
      const [owner, spender] = [addressArgument(data, 0), addressArgument(data, 1)];
      if (owner === null || spender === null) return null;
      const isApproved = owner === SETTLEMENT_CONTRACT
        ? spender === ROUTER
        : spender === VAULT_RELAYER;
      return numberWord(isApproved ? LARGEST_AMOUNT : 0n);
    },
  };
}

const SETTLEMENT_FUNCTIONS: Readonly<Record<string, Function>> = {
  // domainSeparator()
  "0xf698da25": ({ domain }) => bytesWord(domainSeparator(domain)),
  // authenticator()
  "0x2335c76b": () => addressWord(AUTHENTICATOR),
  // vaultRelayer()
  "0x9b552cc2": () => addressWord(VAULT_RELAYER),
  // preSignature(bytes)
  "0xd08d33d1": (market, call) => {
    const uid = bytesArgument(call.data, 0);
    if (uid === null) return null;
    call.requireLatest();
    return market.book.orders.get(uid)?.isPreSigned === true ? PRE_SIGNED : numberWord(0);
  },
  // filledAmount(bytes)
  "0x2479fb6e": (market, call) => {
    const uid = bytesArgument(call.data, 0);
    if (uid === null) return null;
    call.requireLatest();
    return numberWord(filledAmount(market, uid));
  },
};

function filledAmount({ book, chain }: Market, uid: string): bigint {
  const order = book.orders.get(uid);
  if (order === undefined && chain.hasForgotten) {
    throw new RpcError(
      "serverError",
      `the filled amount of ${uid} is not kept: the order is unknown`,
    );
  }
  if (order === undefined) return 0n;
  return order.signed.kind === "sell" ? order.executedSellAmount : order.executedBuyAmount;
}

const AUTHENTICATOR_FUNCTIONS: Readonly<Record<string, Function>> = {
  // isSolver(address)
  "0x02cc250d": (_market, { data }) => {
    const solver = addressArgument(data, 0);
    if (solver === null) return null;
    return numberWord(SOLVERS.some(({ address }) => address === solver) ? 1 : 0);
  },
};

const MULTICALL_FUNCTIONS: Readonly<Record<string, Function>> = {
  // aggregate3((address,bool,bytes)[])
  "0x82ad56cb": (market, call) => {
    const calls = decodeAggregate(call.data);
    // Rejects calls of the contract itself, which would be unbounded.
    if (calls === null || calls.some(({ to }) => to === MULTICALL3)) return null;
    const results = calls.map((one) => {
      const returnData = returnedBy(market, { ...call, ...one });
      if (returnData === null && !one.allowFailure) {
        throw new RpcError("reverted", "execution reverted: Multicall3: call failed");
      }
      return { success: returnData !== null, returnData: returnData ?? "0x" };
    });
    return encodeAggregateResults(results);
  },
};

/** The return data of a call; `null` if it reverts, empty at an address without a contract. */
function returnedBy(market: Market, call: MarketCall): string | null {
  const functions = functionsOf(market, call.to);
  if (functions === null) return "0x";
  return functions[call.data.slice(0, SELECTOR_END)]?.(market, call) ?? null;
}

function bytesWord(bytes: Uint8Array): string {
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
