import { encodeRevert } from "../../evm/settlement/encode_revert.ts";
import { encodeSettlement } from "../../evm/settlement/encode_settlement.ts";
import { mappingSlot } from "../../evm/settlement/mapping_slot.ts";
import { NATIVE_TOKEN_ADDRESS } from "../../networks/networks.ts";
import { SOLVER_AUTHENTICATOR } from "../../networks/shared_contracts.ts";
import { LARGEST_AMOUNT } from "../../units/largest_amount.ts";
import { mulDivDown } from "../../units/mod.ts";
import { appDataTerms } from "../market/traders/app_data_terms.ts";
import { settledSignature } from "../market/settlement/settled_signature.ts";
import { CHAIN_ID, type Market, SETTLEMENT_CONTRACT } from "../market/state/market.ts";
import { queryCount } from "../wire/url_values.ts";
import { readSimulation } from "../wire/read_simulation.ts";
import { json, rejection, type Reply } from "../wire/reply.ts";
import { revertReason, type SimulatedOrder } from "../rules/revert_reason.ts";

/** Storage slots of the authenticator's solvers and of a token's balances. */
const SOLVERS_SLOT = 1n;
const BALANCES_SLOT = 0n;
const GAS_LIMIT = 16_777_215;
const SIMULATED_BALANCE = 2n ** 255n - 1n;

/** `GET debug/simulation/{uid}`: simulates the remaining amount of an order. */
export async function simulateKnownOrder(
  market: Market,
  { uid, query }: { uid: string; query: URLSearchParams },
): Promise<Reply> {
  const blockNumber = queryCount(query, "block_number") ?? market.block;
  const bookOrder = market.book.orders.get(uid);
  if (bookOrder === undefined) throw rejection(404, "NotFound", "order not found");
  const { signed, owner, remaining: executedAmount, origin: { interactions } } = bookOrder;
  const simulated = { signed, owner, interactions, executedAmount, bookOrder, blockNumber };
  return await simulate(market, simulated);
}

/** `POST debug/simulation`: simulates any order. */
export async function simulateOrder(market: Market, body: string): Promise<Reply> {
  const { signed, owner, document, blockNumber = market.block } = readSimulation(body);
  const { interactions } = appDataTerms(document);
  const executedAmount = signed.kind === "sell" ? signed.sellAmount : signed.buyAmount;
  const simulated = {
    signed,
    owner,
    interactions,
    executedAmount,
    bookOrder: undefined,
    blockNumber,
  };
  return await simulate(market, simulated);
}

async function simulate(market: Market, simulated: SimulatedOrder): Promise<Reply> {
  const { owner, blockNumber } = simulated;
  // Any address works: the simulation makes it a solver.
  const solver = `0x${mappingSlot(owner, BigInt(blockNumber)).slice(-40)}`;
  const reason = await revertReason(market, simulated);
  return json({
    tenderlyRequest: {
      network_id: String(CHAIN_ID),
      block_number: blockNumber,
      transaction_index: 0,
      from: solver,
      to: SETTLEMENT_CONTRACT,
      input: settlementOf(simulated),
      gas: GAS_LIMIT,
      simulation_type: "full",
      save: true,
      save_if_fails: true,
      state_objects: {
        ...fundedSettlement(simulated),
        [SOLVER_AUTHENTICATOR]: { storage: { [mappingSlot(solver, SOLVERS_SLOT)]: word(1n) } },
        [solver]: { balance: word(SIMULATED_BALANCE) },
      },
    },
    error: reason === null ? null : revertError(reason),
  });
}

/** Overrides that give the settlement contract what the order buys, plus one atom. */
function fundedSettlement({ signed, executedAmount }: SimulatedOrder): Record<string, unknown> {
  const { kind, buyToken, buyAmount, sellAmount } = signed;
  if (buyToken === NATIVE_TOKEN_ADDRESS) return {};
  const bought = kind === "buy"
    ? executedAmount
    : mulDivDown(executedAmount, buyAmount, sellAmount);
  const slot = mappingSlot(SETTLEMENT_CONTRACT, BALANCES_SLOT);
  return {
    [buyToken]: {
      storage: { [slot]: word(bought < LARGEST_AMOUNT ? bought + 1n : LARGEST_AMOUNT) },
    },
  };
}

function settlementOf({ signed, owner, interactions, executedAmount }: SimulatedOrder): string {
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

function revertError(reason: string): string {
  return "server returned an error response: error code 3: execution reverted: " +
    `${reason}, data: "${encodeRevert(reason)}"`;
}

function word(value: bigint): string {
  return `0x${value.toString(16).padStart(64, "0")}`;
}
