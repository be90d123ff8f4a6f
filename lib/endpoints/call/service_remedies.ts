/** Remedies by the error type of the service; the set is open. */
const REMEDIES: Readonly<Record<string, string>> = {
  AlreadyCancelled: "Leave out orders that are already cancelled",
  AppDataHashMismatch:
    "Compute the hash with hashAppData from exactly the text that is sent as app data",
  AppDataInvalid: "Correct the document; `description` says where parsing failed",
  AppDataMismatch: "Send the document that was registered under this hash, or another hash",
  AppdataFromMismatch: "Set `from` to the account in `metadata.signer` of the document",
  CustomSolverError: "Read `description`, which comes from a solver",
  DuplicatedOrder: "Do not send it again: the service already has this order, under the same UID",
  ExcessiveValidTo: "Choose an earlier validTo",
  Forbidden: "Trade from another account: the service rejects this one",
  IncompatibleSigningScheme: "Use a signing scheme that this kind of order allows",
  InsufficientAllowance:
    "Approve the vault relayer for at least the sell amount, from the owner's account",
  InsufficientBalance:
    "Make sure that the owner holds at least the sell amount and has approved it to the vault relayer",
  InsufficientFee: "Request a new quote",
  InsufficientFunds:
    "Make sure that the owner holds at least the sell amount and has approved it to the vault relayer",
  InsufficientLiquidity: "Try a smaller amount or another pair",
  InsufficientValidTo: "Choose a later validTo",
  InternalServerError: "Retry later; the service failed",
  InvalidAppData:
    "Correct the document as `description` says; if only its hash is sent, register the document first",
  InvalidEip1271Signature: "Check that the contract accepts this signature for the order's digest",
  InvalidLimit: "Request 1 to 1000 rows",
  InvalidNativeSellToken:
    "Sell the wrapped token, or place the order through the ETH-flow contract",
  InvalidQuote: "Request a new quote and place the order with its id",
  InvalidSignature: "Sign the digest of exactly this order, for this chain and settlement contract",
  InvalidTradeFilter: "Request the trades of either an owner or an order, not both",
  InvalidValidFrom: "Choose a validFrom before validTo",
  LIMIT_OUT_OF_BOUNDS: "Request 1 to 1000 rows",
  MetadataSerializationFailed: "Retry later; the service failed",
  MissingFrom: "Pass the owner as `from`: it cannot be recovered from this kind of signature",
  NoLiquidity: "Try another amount or pair, or retry later: no solver has a route now",
  NonZeroFee: "Sign the order with a feeAmount of 0n",
  OldOrderActivelyBidOn:
    "Wait until no solver bids on the order that is replaced, or cancel it first",
  OnChainOrder: "Cancel the order on-chain, where it was placed",
  OrderExpired: "Leave out the order: it has expired",
  OrderFullyExecuted: "Leave out the order: it is filled",
  OrderNotFound:
    "Check the UIDs, the network and the environment: one unknown order fails the whole list",
  QuoteNotFound: "Request a new quote and place the order with its id",
  QuoteNotVerified: "Request the price quality `optimal`, or another amount or account",
  SameBuyAndSellToken: "Choose two different tokens",
  SellAmountDoesNotCoverFee: "Sell more than the network fee; `data` says how much that is",
  SellAmountOverflow:
    "Choose a smaller sell amount: with the fee it exceeds the maximum of 256 bits",
  TokenTemporarilySuspended: "Retry later: trading of this token is suspended",
  TooManyLimitOrders: "Wait until some of the owner's open orders are filled, or cancel some",
  TooMuchGas: "Use hooks or a signature that need less gas",
  TradingOutsideAllowedWindow: "Retry when trading is open",
  TransferSimulationFailed: "Check that the owner can transfer the sell token",
  UnsupportedBuyTokenDestination: "Use buyTokenBalance `erc20`",
  UnsupportedOrderType: "Choose another kind of order: this deployment does not support this one",
  UnsupportedSellTokenSource: "Use sellTokenBalance `erc20`",
  UnsupportedToken: "Choose another token: the service does not support this one",
  WrongOwner: "Sign with the account that the order names as its owner",
  ZeroAmount: "Choose amounts above 0n",
};

/** The remedy for an error of the service, by its `errorType`. */
export function remedyOf(errorType: string): string {
  return Object.hasOwn(REMEDIES, errorType)
    ? REMEDIES[errorType]!
    : "Read `description`: the library does not know this error type";
}
