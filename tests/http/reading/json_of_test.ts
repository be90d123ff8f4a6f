import { HttpStatusError } from "orderlens";
import { httpTransport, jsonOf } from "orderlens/http";
import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { answers, misbehavingServer } from "../../misbehaving_server.ts";

const request = { method: "GET", path: "/api/v1/orders/0x00" } as const;

function answer(body: string, contentType: string | null, status = 200) {
  return { status, contentType, headers: new Headers(), body };
}

Deno.test("jsonOf() parses every JSON content type, and answers without one", () => {
  for (
    const type of [
      "application/json",
      "application/json; charset=utf-8",
      "application/JSON;charset=UTF-8",
      "application/problem+json",
      "text/json",
      null,
    ]
  ) assertEquals(jsonOf(answer(' {"a": [1]}\n', type), request), { a: [1] });
});

Deno.test("jsonOf() rejects another content type, even if the text is JSON", () => {
  for (const type of ["text/html", "text/plain; charset=utf-8", "application/jsonp", "json", ""]) {
    const error = assertThrows(() => jsonOf(answer("[1]", type), request), HttpStatusError);
    assertEquals([error.status, error.body, error.request], [
      200,
      "[1]",
      "GET /api/v1/orders/0x00",
    ]);
    assert(error.message.startsWith(
      `Cannot read the answer to GET /api/v1/orders/0x00: it is ${type} instead of JSON\n`,
    ));
  }
});

Deno.test("jsonOf() rejects invalid JSON, with its first 200 characters and the cause", () => {
  for (const body of ["", "<html>", '{"half":', "NaN", "[1] [2]", "x".repeat(500)]) {
    const error = assertThrows(
      () => jsonOf(answer(body, "application/json", 502), request),
      HttpStatusError,
    );
    assertEquals([error.status, error.body], [502, body.slice(0, 200)]);
    assertMatch(error.message, /: it is not JSON\n/);
    assert(error.cause instanceof SyntaxError);
  }
});

Deno.test("jsonOf() rejects HTML with status 200 and JSON with a wrong type, without a retry", async () => {
  await using server = misbehavingServer({
    "/html": answers("<html>Just a moment</html>", { headers: { "content-type": "text/html" } }),
    "/plain": answers("[1]", { headers: { "content-type": "text/plain" } }),
  });
  const transport = httpTransport(server.url);

  for (
    const [path, body] of [["/html", "<html>Just a moment</html>"], ["/plain", "[1]"]] as const
  ) {
    const request = { method: "GET", path } as const;
    const error = await assertRejects(
      async () => jsonOf(await transport.send(request), request),
      HttpStatusError,
      `GET ${path}`,
    );
    assertEquals(error.body, body);
    assertEquals(server.count(path), 1);
  }
});
