import { DecodeError, IncompleteListError } from "orderlens";
import { assertEquals, assertInstanceOf, assertThrows } from "@std/assert";

function failure(what: string): DecodeError {
  return new DecodeError({ what, path: "a.b", expected: "text", found: "7", source: "GET /x" });
}

Deno.test("IncompleteListError names the number of missing elements and the first failure", () => {
  const error = new IncompleteListError({
    what: "the orders of account 0x12",
    failures: [failure("order 3 of a list"), failure("order 9 of a list")],
    failureCount: 700,
  });
  assertEquals(
    error.message,
    "Cannot decode 700 of the orders of account 0x12, first order 3 of a list: a.b must be text\n" +
      "  found: 7\n" +
      "  source: GET /x\n" +
      "Fix: Check that the body is complete and of the right kind; if the service has changed, report it with the output of `deno task drift`",
  );
  assertEquals([error.name, error.code, error.failureCount], [
    "IncompleteListError",
    "decode",
    700,
  ]);
  assertInstanceOf(error.cause, AggregateError);
  assertEquals(error.cause.errors.length, 2);
});

Deno.test("IncompleteListError of one failure has it as its cause", () => {
  const only = failure("trade 0 of a list");
  const error = new IncompleteListError({ what: "the trades", failures: [only], items: [1] });
  assertEquals(error.cause, only);
  assertEquals([error.failureCount, error.items], [1, [1]]);
});

Deno.test("IncompleteListError requires a failure", () => {
  assertThrows(() => new IncompleteListError({ what: "x", failures: [] }), RangeError);
});
