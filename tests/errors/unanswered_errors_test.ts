import { NetworkError, TimeoutError, UnansweredError } from "orderlens";
import { assert, assertEquals } from "@std/assert";

const options = {
  request: "POST /api/v1/orders",
  attempts: 1,
  mayHaveBeenReceived: true,
  facts: { because: "connection reset" },
  remedy: "Look first",
};

Deno.test("UnansweredError shows request, attempts, facts and remedy in this order", async (t) => {
  await t.assertSnapshot(new NetworkError("Cannot get an answer", options).message);
});

Deno.test("each UnansweredError has its code and name, and says whether it may have been received", () => {
  for (
    const [Class, code] of [[NetworkError, "network"], [TimeoutError, "timeout"]] as const
  ) {
    const error = new Class("Cannot get an answer", options);
    assert(error instanceof UnansweredError);
    assertEquals([error.code, error.name], [code, Class.name]);
    assertEquals([error.request, error.attempts, error.mayHaveBeenReceived], [
      "POST /api/v1/orders",
      1,
      true,
    ]);
  }
});
