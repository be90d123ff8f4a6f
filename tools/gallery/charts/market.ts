import { openMarket } from "orderlens/market";
import { openSandbox } from "orderlens/sandbox";

const rules = { rewardsOf: "mainnet", cowPrice: 10n ** 14n } as const;
export const market = await openMarket("market_1", rules); // or openMarket("mainnet", { last: 20 })

// A node has the logs of all tokens, this recording only those of the settlement contract.
export const sandbox = await openMarket(await openSandbox({ seed: 20, auctions: 60 }));
