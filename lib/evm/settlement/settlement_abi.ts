const INTERACTION = {
  type: "tuple[]",
  components: [
    { name: "target", type: "address" },
    { name: "value", type: "uint256" },
    { name: "callData", type: "bytes" },
  ],
} as const;

/**
 * The function and the events of the settlement contract that this room decodes.
 *
 * @see {@link https://github.com/cowprotocol/contracts/blob/v1.0.0/src/contracts/GPv2Settlement.sol | GPv2Settlement}
 */
export const SETTLEMENT_ABI = [
  {
    type: "function",
    name: "settle",
    stateMutability: "nonpayable",
    outputs: [],
    inputs: [
      { name: "tokens", type: "address[]" },
      { name: "clearingPrices", type: "uint256[]" },
      {
        name: "trades",
        type: "tuple[]",
        components: [
          { name: "sellTokenIndex", type: "uint256" },
          { name: "buyTokenIndex", type: "uint256" },
          { name: "receiver", type: "address" },
          { name: "sellAmount", type: "uint256" },
          { name: "buyAmount", type: "uint256" },
          { name: "validTo", type: "uint32" },
          { name: "appData", type: "bytes32" },
          { name: "feeAmount", type: "uint256" },
          { name: "flags", type: "uint256" },
          { name: "executedAmount", type: "uint256" },
          { name: "signature", type: "bytes" },
        ],
      },
      { ...INTERACTION, name: "interactions", type: "tuple[][3]" },
    ],
  },
  {
    type: "event",
    name: "Trade",
    inputs: [
      { name: "owner", type: "address", indexed: true },
      { name: "sellToken", type: "address", indexed: false },
      { name: "buyToken", type: "address", indexed: false },
      { name: "sellAmount", type: "uint256", indexed: false },
      { name: "buyAmount", type: "uint256", indexed: false },
      { name: "feeAmount", type: "uint256", indexed: false },
      { name: "orderUid", type: "bytes", indexed: false },
    ],
  },
  {
    type: "event",
    name: "Interaction",
    inputs: [
      { name: "target", type: "address", indexed: true },
      { name: "value", type: "uint256", indexed: false },
      { name: "selector", type: "bytes4", indexed: false },
    ],
  },
  {
    type: "event",
    name: "Settlement",
    inputs: [{ name: "solver", type: "address", indexed: true }],
  },
  {
    type: "event",
    name: "OrderInvalidated",
    inputs: [
      { name: "owner", type: "address", indexed: true },
      { name: "orderUid", type: "bytes", indexed: false },
    ],
  },
  {
    type: "event",
    name: "PreSignature",
    inputs: [
      { name: "owner", type: "address", indexed: true },
      { name: "orderUid", type: "bytes", indexed: false },
      { name: "signed", type: "bool", indexed: false },
    ],
  },
] as const;
