import {
  HttpStatusError,
  TimeoutError,
  UnconfirmedCancellationError,
  UnconfirmedOrderError,
} from "orderlens";
import { assertEquals, assertStringIncludes } from "@std/assert";

const UID = `0x${"12".repeat(56)}`;

const FAILED = new HttpStatusError("Cannot create an order: the answer has status 502", {
  request: "POST /api/v1/orders",
  status: 502,
  body: "",
  remedy: "Try again later",
});

const LATE = new TimeoutError("Waited too long for an answer from http://localhost", {
  request: "DELETE /api/v1/orders",
  attempts: 1,
  mayHaveBeenReceived: true,
  remedy: "Look",
});

Deno.test("UnconfirmedOrderError has its own code, and says whether the order exists", () => {
  const error = new UnconfirmedOrderError({
    uid: UID,
    exists: true,
    status: "open",
    cause: FAILED,
  });
  assertEquals(
    error.message,
    `Cannot confirm the creation of order ${UID}: there was no usable answer, but the order exists\n` +
      "  request: POST /api/v1/orders\n" +
      "  because: Cannot create an order: the answer has status 502\n" +
      "  exists: true\n" +
      "  status: open\n" +
      "Fix: Do not send it again; follow it by its UID",
  );
  assertEquals([error.code, error.exists, error.status], ["unconfirmed", true, "open"]);
  assertEquals([error.cause, FAILED.code], [FAILED, "http_status"]);

  const gone = new UnconfirmedOrderError({ uid: UID, exists: false, cause: LATE });
  assertEquals([gone.code, gone.exists, gone.status], ["unconfirmed", false, null]);
  assertEquals([gone.cause, LATE.code], [LATE, "timeout"]);
  const dark = new UnconfirmedOrderError({ uid: UID, exists: null, cause: LATE, lookUpError: "x" });
  assertStringIncludes(dark.message, "exists: unknown\n  look-up: x");
});

Deno.test("UnconfirmedCancellationError counts the states of the orders", () => {
  const statuses = new Map([["a", "cancelled"], ["b", "open"], ["c", null], ["d", "cancelled"]]);
  const error = new UnconfirmedCancellationError({ statuses, cause: LATE });
  assertStringIncludes(error.message, "2 of them are cancelled");
  assertStringIncludes(error.message, "states: 2 cancelled, 1 open, 1 unknown");
  assertEquals([error.code, error.cause], ["unconfirmed", LATE]);
});
