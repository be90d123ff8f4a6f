import { httpTransport } from "orderlens/http";
import { assert, assertEquals } from "@std/assert";
import { MemoryCache } from "../../../lib/http/http_transport.ts";
import { answers, misbehavingServer } from "../../misbehaving_server.ts";
import { TestClock } from "../../test_clock.ts";

const get = { method: "GET", path: "/accounts/0x00/notifications" } as const;

function answer(body: string, headers: Record<string, string>, status = 200) {
  return { status, contentType: null, headers: new Headers(headers), body };
}

Deno.test("httpTransport() returns a cached answer until its max-age is over", async () => {
  const headers = { "cache-control": "public, max-age=300" };
  const froms: string[] = [];
  const clock = new TestClock();
  await using server = misbehavingServer({
    [get.path]: [answers("[1]", { headers }), answers("[2]", { headers })],
  });
  const hooks = { onEnd: (event: { from: string }) => void froms.push(event.from) };
  const transport = httpTransport(server.url, { clock, hooks });

  await transport.send(get);
  (await transport.send(get)).headers.set("cache-control", "no-store");
  clock.advance(299_999);
  const again = await transport.send(get);
  assertEquals([again.body, again.headers.get("cache-control")], ["[1]", "public, max-age=300"]);
  assertEquals(server.count(), 1);

  clock.advance(1);
  assertEquals((await transport.send(get)).body, "[2]");
  assertEquals(froms, ["network", "memory", "memory", "network"]);
});

Deno.test("httpTransport() caches no answer for another method or another transport", async () => {
  const headers = { "cache-control": "public, max-age=300" };
  await using server = misbehavingServer({ "/x": answers("1", { headers }) });
  const transport = httpTransport(server.url);

  for (let i = 0; i < 2; i++) {
    await transport.send({ method: "POST", path: "/x", body: "{}", isRead: true });
  }
  await transport.send({ method: "GET", path: "/x" });
  await httpTransport(server.url).send({ method: "GET", path: "/x" });
  assertEquals(server.count(), 4);
});

Deno.test("MemoryCache caches a public 200 for max-age minus Age, and nothing else", () => {
  for (
    const [keptMs, headers, status] of [
      [300_000, { "cache-control": "public, max-age=300" }],
      [300_000, { "cache-control": "max-age=300, PUBLIC" }],
      [240_000, { "cache-control": "public, max-age=300", "age": "60" }],
      [0, { "cache-control": "public, max-age=300", "age": "300" }],
      [0, { "cache-control": "max-age=300" }],
      [0, { "cache-control": "public, s-maxage=300" }],
      [0, { "cache-control": "public, max-age=300, no-store" }],
      [0, { "cache-control": "public, no-cache, max-age=300" }],
      [0, { "cache-control": "private, max-age=300" }],
      [0, { "cache-control": "public, max-age=0" }],
      [0, { "cache-control": "public" }],
      [0, {}],
      [0, { "cache-control": "public, max-age=300" }, 404],
      [0, { "cache-control": "public, max-age=300" }, 503],
    ] as const
  ) {
    const kept = new MemoryCache();
    kept.put("u", answer("1", headers, status), 1000);
    const text = JSON.stringify([headers, status]);
    assertEquals(kept.get("u", 1000 + keptMs - 1)?.body, keptMs === 0 ? undefined : "1", text);
    assertEquals(kept.get("u", 1000 + keptMs), undefined, text);
  }
});

Deno.test("MemoryCache drops the oldest above its limit, and replaced answers", () => {
  const kept = new MemoryCache();
  const headers = { "cache-control": "public, max-age=300" };
  const mebi = "x".repeat(1024 * 1024);
  for (let i = 0; i < 12; i++) kept.put(`u${i}`, answer(mebi, headers), 0);

  const there = Array.from({ length: 12 }, (_, i) => kept.get(`u${i}`, 1) !== undefined);
  assertEquals(there.indexOf(true), 4);
  assert(there.slice(4).every(Boolean));

  kept.put("u11", answer("", {}), 0);
  assertEquals(kept.get("u11", 1), undefined);
  kept.put("u12", answer("x".repeat(9 * 1024 * 1024), headers), 0);
  assertEquals(kept.get("u12", 1), undefined);
  assertEquals(kept.get("u10", 1)?.body, mebi);
});
