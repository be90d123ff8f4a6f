import { signOrder } from "orderlens";
import { computeOrderUid, decodeSettlement, orderDomain, type SignableOrder } from "orderlens/evm";
import { decodeCompetition, decodeOrder, decodeTrade } from "orderlens/schemas";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { encodeSettlement } from "../lib/evm/settlement/encode_settlement.ts";
import { DEVELOPMENT_ACCOUNTS } from "../lib/sandbox/mod.ts";
import { got, writeRecording } from "./sandbox/temp_folder.ts";

/** One ether. */
export const ETHER = 10n ** 18n;
/** The deployment, whose contract is not the public one. */
export const JIT_DEPLOYMENT = {
  chainId: 1,
  settlementContract: "0xa513e6e4b8f2a923d98304ec87f64353c4d5c853",
};
/** What the service writes into orders that solvers brought, whatever the deployment. */
const PUBLIC_CONTRACT = "0x9008d19f58aabd9ed0d60971565aa8510560ab41";
const WETH = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
const TOKEN = "0xc6e7df5e7b4f2a278906862b61205850344d4e7d";
const SOLVER = "0xf985d2cf3f3c5cfc798d8e9e4ebdd6777653c3cb";
const TX = `0x${"17".repeat(32)}`;
const AUCTION = 280;
const [TRADER, MAKER] = DEVELOPMENT_ACCOUNTS.slice(0, 2).map(({ privateKey }) =>
  privateKeyToAccount(privateKey as `0x${string}`)
);
const DOMAIN = orderDomain(JIT_DEPLOYMENT);

function terms(sellToken: string, buyToken: string, buyAmount: bigint) {
  return {
    sellToken,
    buyToken,
    sellAmount: 10n * ETHER,
    buyAmount,
    receiver: null,
    validTo: 1_795_267_612,
    appData: `0x${"00".repeat(32)}`,
    feeAmount: 0n,
    kind: "sell",
    partiallyFillable: false,
    sellTokenBalance: "erc20",
    buyTokenBalance: "erc20",
  } as const satisfies SignableOrder;
}

/** An order that is wholly filled, and what is known of it everywhere. */
async function filled(
  account: PrivateKeyAccount,
  order: ReturnType<typeof terms>,
  { bought, fee, logIndex }: { bought: bigint; fee: bigint; logIndex: number },
) {
  const owner = account.address.toLowerCase();
  const uid = computeOrderUid(DOMAIN, order, owner);
  const { signature } = await signOrder(account, DOMAIN, order);
  const { sellToken, buyToken } = order;
  const [sellAmount, buyAmount] = [`${order.sellAmount}`, `${bought}`];
  const signed = { signingScheme: "eip712", signature } as const;
  const traded = { sellAmount, buyAmount, sellToken, buyToken };
  return {
    uid,
    owner,
    body: {
      ...order,
      creationDate: "2026-11-21T13:21:52.226677Z",
      owner,
      uid,
      availableBalance: null,
      executedBuyAmount: buyAmount,
      executedSellAmount: sellAmount,
      executedSellAmountBeforeFees: sellAmount,
      executedFeeAmount: "0",
      executedFee: `${fee}`,
      executedFeeToken: sellToken,
      invalidated: false,
      status: "fulfilled",
      sellAmount,
      buyAmount: `${order.buyAmount}`,
      feeAmount: "0",
      ...signed,
      interactions: { pre: [], post: [] },
    },
    trade: {
      blockNumber: 47,
      logIndex,
      orderUid: uid,
      owner,
      ...traded,
      txHash: TX,
      sellAmountBeforeFees: sellAmount,
      executedProtocolFees: [],
    },
    solved: { id: uid, ...traded },
    settled: { ...order, executedAmount: order.sellAmount, ...signed },
    stored: {
      order_uid: uid,
      auction_id: AUCTION,
      block_number: 47,
      executed_fee: `${fee}`,
      executed_fee_token: sellToken,
      protocol_fee_tokens: [],
      protocol_fee_amounts: [],
    },
  };
}

/**
 * A settlement of one user's order and of one that the solver brought, as in the service's own
 * end-to-end test of such orders: the user sells 10 WETH for 5 of a token or more, the solver's
 * account 10 of the token for 1 WETH or more. Both tokens have the price 1. The user gets 10, at the
 * uniform prices; the solver's order gets its limit of 1, where the uniform prices give 10.
 *
 * @param owners Owners who capture surplus, of the auction as stored and of `GET auction`; `null` where
 *   neither is there. Of theirs, the fee is by the formula: 9 WETH are 9 tokens.
 */
export async function jitRecording({ owners }: { readonly owners: readonly string[] | null }) {
  const fee = owners?.includes(MAKER!.address.toLowerCase()) ? 9n * ETHER : 0n;
  const user = await filled(TRADER!, terms(WETH, TOKEN, 5n * ETHER), {
    bought: 10n * ETHER,
    fee: 0n,
    logIndex: 0,
  });
  const jit = await filled(MAKER!, terms(TOKEN, WETH, ETHER), { bought: ETHER, fee, logIndex: 1 });
  const userBody = {
    ...user.body,
    class: "limit",
    isLiquidityOrder: false,
    fullAppData: "{}",
    settlementContract: JIT_DEPLOYMENT.settlementContract,
  };
  const jitBody = {
    ...jit.body,
    class: "liquidity",
    isLiquidityOrder: true,
    fullAppData: null,
    settlementContract: PUBLIC_CONTRACT,
  };
  const score = `${5n * ETHER}`;
  const solution = {
    solverAddress: SOLVER,
    score,
    ranking: 1,
    clearingPrices: {},
    isWinner: true,
    orders: [user.solved, jit.solved],
    filteredOut: false,
    referenceScore: "0",
    txHash: TX,
  };
  const competition = {
    auctionId: AUCTION,
    auctionStartBlock: 46,
    auctionDeadlineBlock: 51,
    transactionHashes: [TX],
    referenceScores: { [SOLVER]: "0" },
    auction: { orders: [user.uid], prices: { [WETH]: `${ETHER}`, [TOKEN]: `${ETHER}` } },
    solutions: [solution],
  };
  // The solver's order trades at prices of its own, at the later places of both tokens.
  const input = encodeSettlement({
    tokens: [WETH, TOKEN, TOKEN, WETH],
    clearingPrices: [ETHER, ETHER, ETHER, 10n * ETHER],
    trades: [
      { ...user.settled, sellTokenIndex: 0, buyTokenIndex: 1 },
      { ...jit.settled, sellTokenIndex: 2, buyTokenIndex: 3 },
    ],
    interactions: { pre: [], intra: [], post: [] },
  });
  const auction = { id: 287, block: 53, orders: [], prices: {} };
  const answered = [
    got(`/api/v1/orders/${user.uid}`, userBody),
    got(`/api/v1/orders/${jit.uid}`, jitBody),
    got(`/api/v2/trades?orderUid=${user.uid}`, [user.trade]),
    got(`/api/v2/trades?orderUid=${jit.uid}`, [jit.trade]),
    got(`/api/v2/solver_competition/${AUCTION}`, competition),
    got(`/api/v1/transactions/${TX}/orders`, [userBody, jitBody]),
    ...owners === null
      ? []
      : [got("/api/v1/auction", { ...auction, surplusCapturingJitOrderOwners: owners })],
  ];
  const truth = {
    order_execution: [user.stored, jit.stored],
    settlements: [{ block_number: 47, tx_hash: TX, auction_id: AUCTION, solution_uid: 0 }],
    competition_auctions: [{
      id: AUCTION,
      deadline: 51,
      order_uids: [user.uid],
      ...owners === null ? {} : { surplus_capturing_jit_order_owners: owners },
    }],
    proposed_solutions: [{
      auction_id: AUCTION,
      uid: 0,
      solver: SOLVER,
      is_winner: true,
      score,
      filtered_out: false,
    }],
    reference_scores: [{ auction_id: AUCTION, solver: SOLVER, reference_score: "0" }],
  };
  const to = JIT_DEPLOYMENT.settlementContract;
  return {
    userUid: user.uid,
    jitUid: jit.uid,
    jitOwner: jit.owner,
    txHash: TX,
    exchanges: answered,
    truth,
    chain: { settlements: { [TX]: { from: SOLVER, to, input, blockNumber: 47 } }, logs: [] },
    userOrder: decodeOrder(userBody),
    jitOrder: decodeOrder(jitBody),
    jitTrade: decodeTrade(jit.trade),
    competition: decodeCompetition(competition),
    settlement: decodeSettlement(input),
  };
}

/** The recording, and what the service stored and its chain had. */
export type JitRecording = Awaited<ReturnType<typeof jitRecording>>;

/** Writes the recording with the files beside it into a folder. */
export async function writeJitRecording(
  folder: string,
  recording: Pick<JitRecording, "exchanges"> & Readonly<Record<"truth" | "chain", object>>,
): Promise<void> {
  await writeRecording(`${folder}/jit.ndjson`, recording.exchanges);
  for (const kind of ["truth", "chain"] as const) {
    await Deno.writeTextFile(`${folder}/jit.${kind}.json`, JSON.stringify(recording[kind]));
  }
}
