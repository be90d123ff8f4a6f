const DATA = {
  type: "tuple",
  components: [
    { name: "buyToken", type: "address" },
    { name: "receiver", type: "address" },
    { name: "sellAmount", type: "uint256" },
    { name: "buyAmount", type: "uint256" },
    { name: "appData", type: "bytes32" },
    { name: "feeAmount", type: "uint256" },
    { name: "validTo", type: "uint32" },
    { name: "partiallyFillable", type: "bool" },
    { name: "quoteId", type: "int64" },
  ],
} as const;

const SIGNED_ORDER = {
  type: "tuple",
  components: [
    { name: "sellToken", type: "address" },
    { name: "buyToken", type: "address" },
    { name: "receiver", type: "address" },
    { name: "sellAmount", type: "uint256" },
    { name: "buyAmount", type: "uint256" },
    { name: "validTo", type: "uint32" },
    { name: "appData", type: "bytes32" },
    { name: "feeAmount", type: "uint256" },
    { name: "kind", type: "bytes32" },
    { name: "partiallyFillable", type: "bool" },
    { name: "sellTokenBalance", type: "bytes32" },
    { name: "buyTokenBalance", type: "bytes32" },
  ],
} as const;

/**
 * Functions and events of the EthFlow contracts, and of others that place orders on the chain.
 *
 * @see {@link https://github.com/cowprotocol/ethflowcontract/tree/fd72a5375e12/src | the contract}
 */
export const ETHFLOW_ABI = [
  {
    type: "function",
    name: "createOrder",
    stateMutability: "payable",
    inputs: [{ ...DATA, name: "order" }],
    outputs: [{ name: "orderHash", type: "bytes32" }],
  },
  {
    type: "function",
    name: "invalidateOrder",
    stateMutability: "nonpayable",
    inputs: [{ ...DATA, name: "order" }],
    outputs: [],
  },
  {
    type: "function",
    name: "invalidateOrdersIgnoringNotAllowed",
    stateMutability: "nonpayable",
    inputs: [{ ...DATA, name: "orderArray", type: "tuple[]" }],
    outputs: [],
  },
  {
    type: "event",
    name: "OrderPlacement",
    inputs: [
      { name: "sender", type: "address", indexed: true },
      { ...SIGNED_ORDER, name: "order", indexed: false },
      {
        name: "signature",
        type: "tuple",
        indexed: false,
        components: [{ name: "scheme", type: "uint8" }, { name: "data", type: "bytes" }],
      },
      { name: "data", type: "bytes", indexed: false },
    ],
  },
  {
    type: "event",
    name: "OrderInvalidation",
    inputs: [{ name: "orderUid", type: "bytes", indexed: false }],
  },
  {
    type: "event",
    name: "OrderRefund",
    inputs: [
      { name: "orderUid", type: "bytes", indexed: false },
      { name: "refunder", type: "address", indexed: true },
    ],
  },
] as const;
