import { encodeRevert } from "../../evm/settlement/encode_revert.ts";
import { encodeSettlement } from "../../evm/settlement/encode_settlement.ts";
import { mappingSlot } from "../../evm/settlement/mapping_slot.ts";
import { NATIVE_TOKEN_ADDRESS } from "../../networks/networks.ts";
import { SOLVER_AUTHENTICATOR } from "../../networks/shared_contracts.ts";
import { LARGEST_AMOUNT } from "../../units/largest_amount.ts";
import { mulDivDown } from "../../units/mod.ts";
import { appDataTerms } from "../market/traders/app_data_terms.ts";
import type { SignedOrder } from "../market/state/book_order.ts";
import { CHAIN_ID, type Market, SETTLEMENT_CONTRACT } from "../market/state/market.ts";
import { queryCount } from "../wire/url_values.ts";
import { readSimulation } from "../wire/read_simulation.ts";
import { json, refuse, type Reply } from "../wire/reply.ts";
import { revertReason, type Trial } from "../rules/revert_reason.ts";

/** Where the authenticator keeps its solvers, and tokens their balances. */
const SOLVERS_AT = 1n;
const BALANCES_AT = 0n;
const GAS_LIMIT = 16_777_215;
const SIMULATED_BALANCE = 2n ** 255n - 1n;

/** `GET debug/simulation/{uid}`: simulates the unfilled rest of an order. */
export async function simulateKnownOrder(
  market: Market,
  { uid, query }: { uid: string; query: URLSearchParams },
): Promise<Reply> {
  const blockNumber = queryCount(query, "block_number") ?? market.block;
  const known = market.book.orders.get(uid);
  if (known === undefined) throw refuse(404, "NotFound", "order not found");
  const { signed, owner, left: executedAmount, origin: { interactions } } = known;
  const trial = { signed, owner, interactions, executedAmount, known, blockNumber };
  return await simulate(market, trial);
}

/** `POST debug/simulation`: simulates any order. */
export async function simulateOrder(market: Market, body: string): Promise<Reply> {
  const { signed, owner, document, blockNumber = market.block } = readSimulation(body);
  const { interactions } = appDataTerms(document);
  const executedAmount = signed.kind === "sell" ? signed.sellAmount : signed.buyAmount;
  const trial = { signed, owner, interactions, executedAmount, known: undefined, blockNumber };
  return await simulate(market, trial);
}

async function simulate(market: Market, trial: Trial): Promise<Reply> {
  const { owner, blockNumber } = trial;
  // Any address will do: the trial makes it a solver.
  const solver = `0x${mappingSlot(owner, BigInt(blockNumber)).slice(-40)}`;
  const reason = await revertReason(market, trial);
  return json({
    tenderlyRequest: {
      network_id: String(CHAIN_ID),
      block_number: blockNumber,
      transaction_index: 0,
      from: solver,
      to: SETTLEMENT_CONTRACT,
      input: settlementOf(trial),
      gas: GAS_LIMIT,
      simulation_type: "full",
      save: true,
      save_if_fails: true,
      state_objects: {
        ...fundedSettlement(trial),
        [SOLVER_AUTHENTICATOR]: { storage: { [mappingSlot(solver, SOLVERS_AT)]: word(1n) } },
        [solver]: { balance: word(SIMULATED_BALANCE) },
      },
    },
    error: reason === null ? null : revertError(reason),
  });
}

/** The settlement contract is given what the order buys, and an atom more. */
function fundedSettlement({ signed, executedAmount }: Trial): Record<string, unknown> {
  const { kind, buyToken, buyAmount, sellAmount } = signed;
  if (buyToken === NATIVE_TOKEN_ADDRESS) return {};
  const bought = kind === "buy"
    ? executedAmount
    : mulDivDown(executedAmount, buyAmount, sellAmount);
  const slot = mappingSlot(SETTLEMENT_CONTRACT, BALANCES_AT);
  return {
    [buyToken]: {
      storage: { [slot]: word(bought < LARGEST_AMOUNT ? bought + 1n : LARGEST_AMOUNT) },
    },
  };
}

function settlementOf({ signed, owner, interactions, executedAmount }: Trial): string {
  const { sellToken, buyToken, sellAmount, buyAmount } = signed;
  return encodeSettlement({
    tokens: [sellToken, buyToken],
    clearingPrices: [buyAmount, sellAmount],
    trades: [{
      ...signed,
      sellTokenIndex: 0,
      buyTokenIndex: 1,
      executedAmount,
      signature: settledSignature(signed, owner),
    }],
    interactions: { ...interactions, intra: [] },
  });
}

/** A signature as the settlement contract takes it: on the chain its owner comes first. */
function settledSignature({ signingScheme, signature }: SignedOrder, owner: string): string {
  if (signingScheme === "presign") return owner;
  return signingScheme === "eip1271" ? `${owner}${signature.slice(2)}` : signature;
}

function revertError(reason: string): string {
  return "server returned an error response: error code 3: execution reverted: " +
    `${reason}, data: "${encodeRevert(reason)}"`;
}

function word(value: bigint): string {
  return `0x${value.toString(16).padStart(64, "0")}`;
}
