/** What to do about each refusal that the service is known to explain; the set is open. */
const REMEDIES: Readonly<Record<string, string>> = {
  AlreadyCancelled: "Name no order that is cancelled already",
  AppDataHashMismatch: "Hash the very text that is sent as app data, with hashAppData",
  AppDataInvalid: "Correct the document; `description` says where the service stopped reading it",
  AppDataMismatch: "Send the document that was registered under this hash, or another hash",
  AppdataFromMismatch: "Let `from` be the account that the document names as metadata.signer",
  CustomSolverError: "Read `description`: it is a solver's own",
  DuplicatedOrder: "Do not send it again: the service has this order, under the same UID",
  ExcessiveValidTo: "Choose an earlier validTo",
  Forbidden: "Trade from another account: the service does not serve this one",
  IncompatibleSigningScheme: "Sign with a scheme that this kind of order allows",
  InsufficientAllowance: "Let the owner approve the vault relayer for at least the sell amount",
  InsufficientBalance: "Let the owner hold and approve at least the sell amount",
  InsufficientFee: "Ask for a new quote",
  InsufficientFunds: "Let the owner hold and approve at least the sell amount",
  InsufficientLiquidity: "Try a smaller amount or another pair",
  InsufficientValidTo: "Choose a later validTo",
  InternalServerError: "Try again later; the fault is the service's",
  InvalidAppData:
    "Correct the document where `description` says, or register it first where only its hash is sent",
  InvalidEip1271Signature: "Check that the contract accepts this signature for the order's digest",
  InvalidLimit: "Ask for 1 to 1000 rows",
  InvalidNativeSellToken:
    "Sell the wrapped token, or place the order through the ETH-flow contract",
  InvalidQuote: "Ask for a new quote and place the order with its id",
  InvalidSignature: "Sign the digest of this very order for this chain and settlement contract",
  InvalidTradeFilter: "Ask for the trades of an owner or of an order, not of both",
  InvalidValidFrom: "Choose a validFrom before validTo",
  LIMIT_OUT_OF_BOUNDS: "Ask for 1 to 1000 rows",
  MetadataSerializationFailed: "Try again later; the fault is the service's",
  MissingFrom: "Name the owner as `from`: it cannot be told from this kind of signature",
  NoLiquidity: "Try another amount or pair, or later: no solver offers a route now",
  NonZeroFee: "Sign the order with a feeAmount of 0n",
  OldOrderActivelyBidOn:
    "Wait until no solver bids on the order to be replaced, or cancel it first",
  OnChainOrder: "Cancel it on-chain, where it was placed",
  OrderExpired: "Leave the order out: it is expired",
  OrderFullyExecuted: "Leave the order out: it is filled",
  OrderNotFound: "Check the UIDs, the network and the environment: one unknown order stops all",
  QuoteNotFound: "Ask for a new quote and place the order with its id",
  QuoteNotVerified: "Ask for priceQuality `optimal`, or for another amount or account",
  SameBuyAndSellToken: "Choose two different tokens",
  SellAmountDoesNotCoverFee: "Sell more than the network fee; `data` says how much that is",
  SellAmountOverflow: "Choose a smaller sell amount: with the fee it exceeds what a token can have",
  TokenTemporarilySuspended: "Try again later: trading of this token is suspended",
  TooManyLimitOrders: "Wait until some of the owner's open orders are filled, or cancel some",
  TooMuchGas: "Choose hooks or a signature that take less gas",
  TradingOutsideAllowedWindow: "Try again when trading is open",
  TransferSimulationFailed: "Check that the sell token can be transferred by its owner",
  UnsupportedBuyTokenDestination: "Use buyTokenBalance `erc20`",
  UnsupportedOrderType: "Choose another kind of order: this deployment does not take this one",
  UnsupportedSellTokenSource: "Use sellTokenBalance `erc20`",
  UnsupportedToken: "Choose another token: the service does not trade this one",
  WrongOwner: "Sign with the account that the order names as its owner",
  ZeroAmount: "Choose amounts above 0n",
};

/** What to do about a refusal of the service, by its `errorType`. */
export function remedyOf(errorType: string): string {
  return Object.hasOwn(REMEDIES, errorType)
    ? REMEDIES[errorType]!
    : "Read `description`: this kind of refusal is new to the library";
}
