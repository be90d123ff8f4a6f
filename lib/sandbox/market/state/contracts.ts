import { NETWORKS } from "../../../networks/mod.ts";
import { SOLVER_AUTHENTICATOR } from "../../../networks/shared_contracts.ts";

/** Takes in what traders sell; everybody has approved it. */
export const VAULT_RELAYER: string = NETWORKS.sepolia.contracts.vaultRelayer.production;
/** Says who is a solver. */
export const AUTHENTICATOR: string = SOLVER_AUTHENTICATOR;
/** Trades with pools; the settlement contract has approved it. */
export const ROUTER = "0x4007e40000000000000000000000000000000001";
