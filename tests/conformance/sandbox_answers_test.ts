import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { openSandbox } from "../../lib/sandbox/mod.ts";
import { ANY_GET, anyBody, type AnyRequest, damagedBody } from "./any_request.ts";
import { OrderDesk } from "../sandbox/order_desk.ts";
import { declaredAnswers } from "./schema.ts";
import { ExchangeCheck, typeOf } from "./exchange_check.ts";
import { NOTIFICATION_TYPES, SERVED } from "./specification.ts";
import { tourOfSandbox, witness } from "./sandbox_tour.ts";

const exchanges = await tourOfSandbox();
const check = new ExchangeCheck(SERVED);
const declared = declaredAnswers(SERVED);
const JSON_TYPE = "application/json";

/** Cancellations of a wrong shape are answered with 400; a sandbox always simulates. */
const NEVER_GIVEN = [
  "DELETE /api/v1/orders 422",
  "DELETE /api/v1/orders/{UID} 422",
  "GET /restricted/api/v1/debug/simulation/{uid} 405",
  "POST /restricted/api/v1/debug/simulation 405",
];

/** Errors of quotes that need solvers, tokens or hours of a kind that a sandbox has not. */
const NEVER_SAID_OF_QUOTES = "CustomSolverError InsufficientLiquidity QuoteNotVerified " +
  "TokenTemporarilySuspended TradingOutsideAllowedWindow UnsupportedOrderType";

/** Errors of orders that need those, approvals that are missing, or a fault of the service's own. */
const NEVER_SAID_OF_ORDERS = "QuoteNotFound QuoteNotVerified InvalidQuote InsufficientAllowance " +
  "SellAmountOverflow IncompatibleSigningScheme UnsupportedOrderType AppDataMismatch " +
  "MetadataSerializationFailed";

/** The JSON bodies of an operation's good answers. */
function bodiesOf(route: string) {
  return exchanges
    .filter((exchange) => exchange.status === 200 && check.routeOf(exchange) === route)
    .map(({ responseBody }) => JSON.parse(responseBody));
}

function sorted(words: Iterable<string>): string[] {
  return [...new Set(words)].sort();
}

Deno.test("every answer of a sandbox conforms to the specification", () => {
  for (const exchange of exchanges) {
    const { method, path, requestBody } = exchange;
    assertEquals(check.answerViolations(exchange), [], `${method} ${path} ${requestBody}`);
  }
  assert(exchanges.length > 2_000, `${exchanges.length} answers`);
});

Deno.test("a sandbox gives every answer of the specification, except those that cannot occur", () => {
  const given = new Set(exchanges.flatMap((exchange) => {
    const kind = `${check.routeOf(exchange)} ${exchange.status}`;
    return [kind, `${kind} ${typeOf(exchange.contentType)}`];
  }));
  assertEquals(sorted(declared.kinds.filter((kind) => !given.has(kind))), NEVER_GIVEN);
});

Deno.test("a sandbox names every error of the specification, except those that cannot occur", () => {
  const said = new Set(
    exchanges.filter(({ status, contentType }) => status >= 400 && contentType === JSON_TYPE)
      .map((exchange) =>
        `${check.routeOf(exchange)} ${JSON.parse(exchange.responseBody).errorType}`
      ),
  );
  assertEquals(
    sorted(declared.errors.filter((error) => !said.has(error))),
    sorted([
      ...NEVER_SAID_OF_ORDERS.split(" ").map((error) => `POST /api/v1/orders ${error}`),
      ...NEVER_SAID_OF_QUOTES.split(" ").flatMap((error) =>
        ["quote", "quote/stream"].map((path) => `POST /api/v1/${path} ${error}`)
      ),
    ]),
  );
});

Deno.test("a sandbox's answers cover every state, stage, fee, settlement outcome and notification", () => {
  const reports = bodiesOf("GET /restricted/api/v1/debug/order/{uid}");
  const orders = reports.map(({ order }) => order);
  const events = reports.flatMap((report) => report.events);
  const auctions = reports.flatMap((report) => report.auctions);
  const outcomes = auctions.flatMap((auction) => auction.settlementAttempts)
    .map(({ outcome = "pending" }) => outcome.split(":")[0].replace(" ", "_"));
  const labels = events.map(({ label, reason }) => reason === undefined ? label : reason);
  const policies = auctions.flatMap((auction) => auction.feePolicies);
  const stages = bodiesOf("GET /api/v1/orders/{UID}/status");
  const notifications = bodiesOf("GET /accounts/{account}/notifications").flat();
  const cases: readonly (readonly [words: string, found: string[]])[] = [
    [
      "presignaturePending open fulfilled cancelled expired",
      orders.map(({ status }) => status),
    ],
    ["eip712 ethsign presign eip1271", orders.map(({ signingScheme }) => signingScheme)],
    ["created ready considered executing traded cancelled", labels],
    [
      "in_flight dust_order missing_native_price insufficient_balance invalid_signature",
      labels,
    ],
    ["pending success timeout driver_failed", outcomes],
    ["surplus priceImprovement volume", policies.map(({ kind }) => kind)],
    [
      "scheduled active solved executing traded open cancelled",
      stages.map(({ type }) => type),
    ],
    [NOTIFICATION_TYPES.join(" "), notifications.map(({ type }) => type)],
  ];
  for (const [words, found] of cases) {
    assertEquals(words.split(" ").filter((word) => !found.includes(word)), [], words);
  }
});

Deno.test("every answer of a sandbox to arbitrary requests conforms to the specification", async () => {
  const sandbox = await openSandbox({ seed: 9, auctions: 10 });
  const asked = witness(sandbox);
  const desk = new OrderDesk(asked);
  const isAllowed = async ({ method, path, body }: AnyRequest) => {
    const { status } = await desk.ask(`${method} ${path}`, body);
    assert(status < 500, `${status} for ${method} ${path} ${body}`);
    assertEquals(check.answerViolations(asked.exchanges.at(-1)!), []);
  };
  await fc.assert(fc.asyncProperty(anyBody(sandbox), isAllowed), { numRuns: 800 });
  await fc.assert(fc.asyncProperty(damagedBody(sandbox), isAllowed), { numRuns: 300 });
  await fc.assert(fc.asyncProperty(ANY_GET, isAllowed), { numRuns: 300 });
  // Accepted requests must not stop the market, and must be reported.
  await sandbox.advance({ auctions: 10 });
  const [account] = sandbox.description.accounts;
  assert((await desk.read(`GET /api/v1/account/${account}/orders?limit=1000`)).length > 0);
});
