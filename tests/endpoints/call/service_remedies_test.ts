import { assertEquals } from "@std/assert";
import { remedyOf } from "../../../lib/endpoints/send_for.ts";

/** The errorTypes that the service's OpenAPI file names at commit 6a3eb4265, and those it leaves out. */
const NAMED = `
  DuplicatedOrder QuoteNotFound QuoteNotVerified InvalidQuote MissingFrom WrongOwner
  InvalidEip1271Signature InsufficientBalance InsufficientAllowance InvalidSignature
  SellAmountOverflow TransferSimulationFailed ZeroAmount IncompatibleSigningScheme
  TooManyLimitOrders TooMuchGas UnsupportedBuyTokenDestination UnsupportedSellTokenSource
  UnsupportedOrderType InsufficientValidTo ExcessiveValidTo InvalidNativeSellToken
  SameBuyAndSellToken UnsupportedToken InvalidAppData AppDataHashMismatch AppDataMismatch
  AppdataFromMismatch MetadataSerializationFailed OldOrderActivelyBidOn
  OrderNotFound AlreadyCancelled OrderFullyExecuted OrderExpired OnChainOrder
  CustomSolverError Forbidden InsufficientLiquidity InternalServerError NoLiquidity
  SellAmountDoesNotCoverFee TokenTemporarilySuspended TradingOutsideAllowedWindow
  NonZeroFee InvalidValidFrom AppDataInvalid InvalidTradeFilter InvalidLimit LIMIT_OUT_OF_BOUNDS
`.trim().split(/\s+/);

Deno.test("remedyOf() has a remedy for every error type of the service", () => {
  const unknown = remedyOf("SomethingNew");
  assertEquals(NAMED.filter((errorType) => remedyOf(errorType) === unknown), []);
  assertEquals(NAMED.length, 49);
});

Deno.test("remedyOf() ignores inherited properties of objects", () => {
  assertEquals(remedyOf("constructor"), remedyOf("SomethingNew"));
});
