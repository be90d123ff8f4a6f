import configuration from "../../deno.json" with { type: "json" };
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { HttpStatusError, InputError } from "orderlens";
import { parseJson, systemClock, VERSION } from "orderlens/http";
import { readBytes } from "../../lib/http/read_body.ts";
import { answers, misbehavingServer } from "../misbehaving_server.ts";
import { USER_AGENT } from "../../lib/http/transport.ts";

const request = { method: "GET", path: "/api/v1/orders/0x00" } as const;

function answer(body: string, contentType: string | null, status = 200) {
  return { status, contentType, headers: new Headers(), body };
}

Deno.test("parseJson() parses every JSON content type, and responses without one", () => {
  for (
    const type of [
      "application/json",
      "application/json; charset=utf-8",
      "application/JSON;charset=UTF-8",
      "application/problem+json",
      "text/json",
      null,
    ]
  ) assertEquals(parseJson(answer(' {"a": [1]}\n', type), request), { a: [1] });
});

Deno.test("parseJson() rejects another content type, even if the text is JSON, and invalid JSON with its start", () => {
  for (const type of ["text/html", "text/plain; charset=utf-8", "application/jsonp", "json", ""]) {
    const error = assertThrows(() => parseJson(answer("[1]", type), request), HttpStatusError);
    assertEquals([error.status, error.body], [200, "[1]"]);
    assertEquals(error.request, "GET /api/v1/orders/0x00");
    const says = `Cannot read the response to ${error.request}: it is ${type} instead of JSON\n`;
    assert(error.message.startsWith(says), error.message);
  }
  for (const body of ["", "<html>", '{"half":', "NaN", "[1] [2]", "x".repeat(500)]) {
    const ask = () => parseJson(answer(body, "application/json", 502), request);
    const error = assertThrows(ask, HttpStatusError, ": it is not JSON\n");
    assertEquals([error.status, error.body], [502, body.slice(0, 200)]);
    assert(error.cause instanceof SyntaxError);
  }
});

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

Deno.test("readBytes() reads a file by its path and by its URL", async () => {
  const path = await Deno.makeTempFile();
  await Deno.writeTextFile(path, "1 €");
  assertEquals(text(await readBytes(path)), "1 €");
  assertEquals(text(await readBytes(new URL(`file://${path}`))), "1 €");
  await Deno.remove(path);
});

Deno.test("readBytes() reads files over HTTP if the library was loaded over HTTP", async () => {
  await using server = misbehavingServer({
    "/data": answers("1 €"),
    "/none": answers("", { status: 404 }),
  });
  assertEquals(text(await readBytes(new URL(`${server.url}/data`))), "1 €");
  const error = await assertRejects(() => readBytes(new URL(`${server.url}/none`)), InputError);
  assertEquals(
    error.message.replace(server.url, "http://host"),
    "Cannot read http://host/none: HTTP status 404\n" +
      "Fix: Serve the package's `data/` folder next to its `lib/` folder",
  );
});

Deno.test("systemClock.sleep() waits at least as long as requested", async () => {
  const { signal } = new AbortController();
  const startMs = systemClock.now();
  await systemClock.sleep(12.3, signal);
  assert(systemClock.now() - startMs >= 12.3);
});

Deno.test("systemClock.sleep() rejects immediately with the signal's reason, and leaves no timer", async () => {
  for (const ms of [60_000, Number.MAX_SAFE_INTEGER]) {
    const controller = new AbortController();
    const sleeping = systemClock.sleep(ms, controller.signal).catch((reason) => reason);
    controller.abort("enough");
    assertEquals(await sleeping, "enough");
  }
  assertEquals(await systemClock.sleep(9, AbortSignal.abort("late")).catch((e) => e), "late");
});

Deno.test("systemClock.now() is the time of day and never runs backwards", () => {
  const times = Array.from({ length: 100 }, () => systemClock.now());
  assertEquals(times, times.toSorted((a, b) => a - b));
  assert(Math.abs(systemClock.now() - Date.now()) < 60_000);
});

Deno.test("VERSION and USER_AGENT match deno.json", () => {
  assertEquals(VERSION, configuration.version);
  assertEquals(USER_AGENT, `orderlens/${configuration.version}`);
});
