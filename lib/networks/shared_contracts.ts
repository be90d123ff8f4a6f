/**
 * Contracts that have the same address on every network.
 *
 * @see {@link https://github.com/cowprotocol/cow-sdk/tree/8a756e813dd5/packages/config | the protocol's own list}
 */
export const SHARED_CONTRACTS = {
  settlement: {
    production: "0x9008d19f58aabd9ed0d60971565aa8510560ab41",
    staging: {
      same: "0x9008d19f58aabd9ed0d60971565aa8510560ab41",
      newer: "0xf553d092b50bdcbdded1a99af2ca29fbe5e2cb13",
    },
  },
  vaultRelayer: {
    production: "0xc92e8bdf79f0507f65a392b0ab4667716bfe0110",
    staging: {
      same: "0xc92e8bdf79f0507f65a392b0ab4667716bfe0110",
      newer: "0xc7242d167563352e2bca4d71c043fbe542db8fb2",
    },
  },
  composableCow: "0xfdafc9d1902f4e0b84f65f49f244b32b31013b74",
} as const;

/** The ETH-flow contracts of every network; the legacy one differs by network. */
export const SHARED_ETH_FLOW = {
  production: "0xba3cb449bd2b4adddbc894d8697f5170800eadec",
  staging: "0xb37add6ac288bd3825a901cba6ec65a89f31b8cc",
} as const;

/** Authenticates solvers; the same in production on every network. */
export const SOLVER_AUTHENTICATOR = "0x2c4c28ddbdac9c5e7055b4c863b72ea0149d8afe";

/**
 * Executes all hooks of an order in one call from the settlement contract; the same on every
 * network.
 */
export const HOOKS_TRAMPOLINE = "0x60bf78233f48ec42ee3f101b9a05ec7878728006";
