import { assertEquals, assertNotEquals } from "@std/assert";
import { bodyKey, pathKey, routeOf } from "../../lib/recordings/request_key.ts";

Deno.test("pathKey() ignores the order of query fields and the case of hex digits", () => {
  assertEquals(
    pathKey("/api/v2/trades?owner=0xABcd&limit=5"),
    pathKey("/api/v2/trades?limit=5&owner=0xabCD"),
  );
  assertEquals(pathKey("/api/v1/orders/0XAB/status"), "/api/v1/orders/0xab/status");
});

Deno.test("pathKey() keeps other text unchanged", () => {
  assertNotEquals(pathKey("/api/v1/Version"), pathKey("/api/v1/version"));
  assertNotEquals(pathKey("/a?limit=1"), pathKey("/a?limit=2"));
  assertNotEquals(pathKey("/a?x=1%262"), pathKey("/a?x=1&2"));
});

Deno.test("pathKey() accepts an invalid percent escape", () => {
  assertEquals(pathKey("/a?x=%zz"), pathKey("/a?x=%zz"));
});

Deno.test("bodyKey() is the same for equal JSON, regardless of key order and the case of hex", () => {
  assertEquals(
    bodyKey('{"b":[1,{"d":2,"c":"0xAB"}],"a":null}'),
    bodyKey(
      '{ "a": null, "b": [1, { "c": "0xab", "d": 2 }] }',
    ),
  );
});

Deno.test("bodyKey() distinguishes values, element order and text that merely contains hex", () => {
  assertNotEquals(bodyKey('{"a":1}'), bodyKey('{"a":"1"}'));
  assertNotEquals(bodyKey("[1,2]"), bodyKey("[2,1]"));
  assertNotEquals(
    bodyKey('{"appData":"{\\"x\\":\\"0xAB\\"}"}'),
    bodyKey(
      '{"appData":"{\\"x\\":\\"0xab\\"}"}',
    ),
  );
});

Deno.test("bodyKey() keeps text that is not JSON, and equates no body and an empty one", () => {
  assertEquals(bodyKey("{"), "{");
  assertEquals(bodyKey(undefined), bodyKey(""));
});

Deno.test("routeOf() replaces the variable segments of a path by their kind", () => {
  assertEquals(
    routeOf(`/api/v1/orders/0x${"a".repeat(112)}/status`),
    "/api/v1/orders/{uid}/status",
  );
  assertEquals(routeOf(`/api/v1/app_data/0x${"A".repeat(64)}`), "/api/v1/app_data/{hash}");
  assertEquals(routeOf("/api/v2/solver_competition/17"), "/api/v2/solver_competition/{id}");
  assertEquals(
    routeOf(`/api/v2/trades?owner=0x${"a".repeat(40)}&limit=5&offset=0`),
    "/api/v2/trades?owner",
  );
});
