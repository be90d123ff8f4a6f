import { assertEquals } from "@std/assert";
import { openSandbox } from "../../../lib/sandbox/mod.ts";
import { comparable, OrderDesk } from "./order_desk.ts";

const RECORDED = new URL("../../testdata/sandbox/http_validation.ndjson", import.meta.url);

Deno.test("openSandbox() answers 36 malformed requests with the service's texts", async () => {
  const exchanges = (await Deno.readTextFile(RECORDED)).trim().split("\n")
    .map((line) => JSON.parse(line));
  assertEquals(exchanges.length, 36);
  const desk = new OrderDesk(await openSandbox());
  for (const { method, path, requestBody, status, responseBody } of exchanges) {
    const body = method === "GET" ? undefined : requestBody ?? "";
    const answer = await desk.ask(`${method} ${path}`, body);
    const found = [answer.status, comparable(answer.text)];
    assertEquals(found, [status, comparable(responseBody)], `${method} ${path}`);
  }
});
