import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { openSandbox } from "../../lib/sandbox/mod.ts";
import { ANY_GET, anyBody, type AnyRequest, damagedBody } from "./any_request.ts";
import { comparable, OrderDesk } from "../sandbox/order_desk.ts";
import { declaredAnswers } from "./schema.ts";
import { ExchangeCheck, typeOf } from "./exchange_check.ts";
import { NOTIFICATION_TYPES, SERVED } from "./specification.ts";
import { tourOfSandbox, witness } from "./sandbox_tour.ts";

const { exchanges, edges, unexpected } = await tourOfSandbox();
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

/** Requests with different answers, by their index in the recording, and why. */
const EXCEPTIONS: ReadonlyMap<number, string> = new Map([
  [61, "a list as app data is described in simpler words"],
  [63, "the service's parser reads a hash as the number 0 first"],
  [150, "debug reports are served at the interface document's path too"],
  [156, "orders of a transaction are served at the interface document's path too"],
]);

/**
 * The compared part of an answer: the fields of a success, and the whole text of an error, without
 * details of a deployment or build: hashes, fees, stack traces.
 */
function contentOf(contentType: string | null, body: string): string {
  if (contentType?.startsWith("text/plain")) return comparable(body);
  if (contentType?.startsWith("text/event-stream")) return "events";
  if (body === "") return "nothing";
  const value = JSON.parse(body);
  if (Array.isArray(value)) return "list";
  if (typeof value !== "object") return typeof value;
  const { errorType, description } = value;
  if (errorType === undefined) return Object.keys(value).sort().join(" ");
  const words = comparable(description.split("\n")[0]).replaceAll(/0x[0-9a-f]{40,}/g, "0x…");
  return `${errorType} ${words}`;
}

Deno.test("a sandbox answers 241 recorded requests as the service did, and others by its rules", () => {
  assertEquals(edges.length, 241);
  const differences: string[] = [];
  for (const [at, { edge, answer }] of edges.entries()) {
    const expected = `${edge.status} ${contentOf(edge.contentType, edge.responseBody)}`;
    const found = `${answer.status} ${contentOf(answer.contentType, answer.text)}`;
    const isVersion = edge.path === "/api/v1/version";
    if (!isVersion && (expected !== found) !== EXCEPTIONS.has(at)) {
      differences.push(`${at} ${edge.method} ${edge.path.slice(0, 60)}: ${expected} / ${found}`);
    }
  }
  assertEquals(differences, []);
  assertEquals(unexpected, []);
});

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
  await fc.assert(fc.asyncProperty(anyBody(sandbox), isAllowed), { numRuns: 2_000 });
  await fc.assert(fc.asyncProperty(damagedBody(sandbox), isAllowed), { numRuns: 1_000 });
  await fc.assert(fc.asyncProperty(ANY_GET, isAllowed), { numRuns: 1_000 });
  // Accepted requests must not stop the market, and must be reported.
  await sandbox.advance({ auctions: 10 });
  const [account] = sandbox.description.accounts;
  assert((await desk.read(`GET /api/v1/account/${account}/orders?limit=1000`)).length > 0);
});
