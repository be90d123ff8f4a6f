import {
  type HttpRequest,
  type HttpResponse,
  httpTransport,
  type HttpTransportOptions,
} from "orderlens/http";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { MemoryCache } from "../../lib/http/http_transport.ts";
import { answers, misbehavingServer } from "../misbehaving_server.ts";
import { TestClock } from "../test_clock.ts";
import { InputError } from "orderlens";
import { inFolder } from "../sandbox/temp_folder.ts";

const get = { method: "GET", path: "/accounts/0x00/notifications" } as const;

function answer(body: string, headers: Record<string, string>, status = 200) {
  return { status, contentType: null, headers: new Headers(headers), body };
}

Deno.test("httpTransport() returns a cached response until its max-age is over", async () => {
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

  // None is for another method or another transport.
  const read = { method: "POST", path: get.path, body: "{}", isRead: true } as const;
  for (let i = 0; i < 2; i++) await transport.send(read);
  await httpTransport(server.url).send(get);
  assertEquals(server.count(), 5);
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

Deno.test("MemoryCache evicts the oldest above its limit, and replaced responses", () => {
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

const final: HttpRequest = {
  method: "GET",
  path: "/x",
  isImmutable: ({ body }: HttpResponse) => JSON.parse(body).status === "fulfilled",
};

async function filesIn(folder: string): Promise<string[]> {
  return await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
}

inFolder.test("httpTransport() caches a final answer on disk, and does not request it again", async (folder) => {
  await using server = misbehavingServer({
    "/x": answers('{"status":"fulfilled","text":"€"}', { headers: { "x-secret": "1234" } }),
  });
  const froms: string[] = [];
  const options: HttpTransportOptions = {
    cacheFolder: `${folder}/answers/`,
    headers: { "x-api-key": "0123456789abcdef" },
    hooks: { onEnd: ({ from }) => void froms.push(from) },
  };

  const first = await httpTransport(server.url, options).send(final);
  const second = await httpTransport(server.url, options).send(final);

  const { status, contentType, body } = first;
  assertEquals([second.status, second.contentType, second.body], [status, contentType, body]);
  assertEquals(froms, ["network", "folder"]);
  assertEquals(server.count(), 1);
  const [name = ""] = await filesIn(`${folder}/answers`);
  const text = await Deno.readTextFile(`${folder}/answers/${name}`);
  assert(!/1234|0123456789abcdef/.test(text.replace(/"sha256":"\w+"/, "")), text);
});

inFolder.test("httpTransport() caches neither answers that may change nor unknown ones", async (folder) => {
  await using server = misbehavingServer({
    "/x": [
      answers('{"status":"open"}'),
      answers("not JSON"),
      answers('{"status":"fulfilled"}', { status: 404 }),
    ],
    "/y": answers('{"status":"fulfilled"}'),
  });
  const transport = httpTransport(server.url, { cacheFolder: folder, retries: 0 });

  for (let i = 0; i < 3; i++) await transport.send(final);
  await transport.send({ method: "GET", path: "/y" });
  await transport.send({ ...final, path: "/y", method: "POST", body: "{}", isRead: true });

  assertEquals(await filesIn(folder), []);
  assertEquals(server.count(), 5);
});

inFolder.test("httpTransport() distinguishes deployment, path and query", async (folder) => {
  const body = (place: string) => answers(`{"status":"fulfilled","place":"${place}"}`);
  await using one = misbehavingServer({ "/x": body("one"), "/xdai/x": body("xdai") });
  await using two = misbehavingServer({ "/x": body("two") });
  const options = { cacheFolder: folder };

  for (let i = 0; i < 2; i++) {
    for (
      const [url, path, place] of [
        [one.url, "/x", "one"],
        [`${one.url}/xdai`, "/x", "xdai"],
        [one.url, "/x?limit=1", "one"],
        [two.url, "/x", "two"],
      ] as const
    ) {
      const { body } = await httpTransport(url, options).send({ ...final, path });
      assertEquals(JSON.parse(body).place, place);
    }
  }
  assertEquals([one.count(), two.count(), (await filesIn(folder)).length], [3, 1, 4]);
});

inFolder.test("httpTransport() requests again if the cached answer is damaged or no longer final", async (folder) => {
  const body = '{"status":"fulfilled"}';
  await using server = misbehavingServer({ "/x": answers(body) });
  const transport = httpTransport(server.url, { cacheFolder: folder });

  await transport.send(final);
  const [name = ""] = await filesIn(folder);
  const file = `${folder}/${name}`;
  const whole = await Deno.readTextFile(file);
  let asked = 1;
  for (
    const damaged of [
      "",
      whole.slice(0, -9),
      "null",
      "[]",
      whole.replace("fulfilled", "cancelled"),
      whole.replace("/x", "/y"),
      whole.replace('"body"', '"bode"'),
    ]
  ) {
    await Deno.writeTextFile(file, damaged);
    assertEquals((await transport.send(final)).body, body);
    assertEquals(server.count(), ++asked, damaged);
    assertEquals(await Deno.readTextFile(file), whole);
  }
  await transport.send({ ...final, isImmutable: () => false });
  assertEquals(server.count(), ++asked);
});

inFolder.test("httpTransport() supports concurrent requests in one folder, and leaves only complete files", async (folder) => {
  await using server = misbehavingServer({
    "/x": answers({ status: "fulfilled", pad: "x".repeat(1e5) }),
  });
  const ask = () => httpTransport(server.url, { cacheFolder: folder }).send(final);

  const bodies = await Promise.all(Array.from({ length: 8 }, ask));

  assertEquals(new Set(bodies.map(({ body }) => body)).size, 1);
  assertEquals((await filesIn(folder)).filter((name) => !name.endsWith(".json")), []);
});

inFolder.test("httpTransport() rejects an unusable folder before sending, and answers where one is lost", async (folder) => {
  await Deno.writeTextFile(`${folder}/file`, "");
  await using server = misbehavingServer({ "/x": answers('{"status":"fulfilled"}') });
  const transport = httpTransport(server.url, { cacheFolder: `${folder}/file` });

  const ask = () => transport.send(final);
  await assertRejects(ask, InputError, "Cannot cache responses in the folder");
  assertEquals(server.count(), 0);

  // One that is lost later, as on a full disk, loses no answer.
  const losing = httpTransport(server.url, { cacheFolder: `${folder}/gone` });
  await losing.send(final);
  await Deno.remove(`${folder}/gone`, { recursive: true });
  assertEquals((await losing.send(final)).status, 200);
  assertEquals((await losing.send(final)).status, 200);
  assertEquals(server.count(), 3);
});
