import { InputError } from "orderlens";
import {
  type HttpRequest,
  type HttpResponse,
  httpTransport,
  type HttpTransportOptions,
} from "orderlens/http";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { answers, misbehavingServer } from "../../misbehaving_server.ts";

const final: HttpRequest = {
  method: "GET",
  path: "/x",
  isImmutable: ({ body }: HttpResponse) => JSON.parse(body).status === "fulfilled",
};

async function temporaryFolder() {
  const path = await Deno.makeTempDir();
  return {
    path,
    async files(): Promise<string[]> {
      return (await Array.fromAsync(Deno.readDir(path))).map(({ name }) => name);
    },
    [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }),
  };
}

Deno.test("httpTransport() caches a final answer on disk, and does not request it again", async () => {
  await using folder = await temporaryFolder();
  await using server = misbehavingServer({
    "/x": answers('{"status":"fulfilled","text":"€"}', { headers: { "x-secret": "1234" } }),
  });
  const froms: string[] = [];
  const options: HttpTransportOptions = {
    cacheFolder: `${folder.path}/answers/`,
    headers: { "x-api-key": "0123456789abcdef" },
    hooks: { onEnd: ({ from }) => void froms.push(from) },
  };

  const first = await httpTransport(server.url, options).send(final);
  const second = await httpTransport(server.url, options).send(final);

  assertEquals([second.status, second.contentType, second.body], [
    200,
    first.contentType,
    first.body,
  ]);
  assertEquals(froms, ["network", "folder"]);
  assertEquals(server.count(), 1);
  const [name = ""] = (await Array.fromAsync(Deno.readDir(`${folder.path}/answers`)))
    .map((entry) => entry.name);
  const text = await Deno.readTextFile(`${folder.path}/answers/${name}`);
  assert(!/1234|0123456789abcdef/.test(text.replace(/"sha256":"\w+"/, "")), text);
});

Deno.test("httpTransport() caches neither answers that may change nor unknown ones", async () => {
  await using folder = await temporaryFolder();
  await using server = misbehavingServer({
    "/x": [
      answers('{"status":"open"}'),
      answers("not JSON"),
      answers('{"status":"fulfilled"}', { status: 404 }),
    ],
    "/y": answers('{"status":"fulfilled"}'),
  });
  const transport = httpTransport(server.url, { cacheFolder: folder.path, retries: 0 });

  for (let i = 0; i < 3; i++) await transport.send(final);
  await transport.send({ method: "GET", path: "/y" });
  await transport.send({ ...final, path: "/y", method: "POST", body: "{}", isRead: true });

  assertEquals(await folder.files(), []);
  assertEquals(server.count(), 5);
});

Deno.test("httpTransport() distinguishes deployment, path and query", async () => {
  await using folder = await temporaryFolder();
  const body = (place: string) => answers(`{"status":"fulfilled","place":"${place}"}`);
  await using one = misbehavingServer({ "/x": body("one"), "/xdai/x": body("xdai") });
  await using two = misbehavingServer({ "/x": body("two") });
  const options = { cacheFolder: folder.path };

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
  assertEquals([one.count(), two.count(), (await folder.files()).length], [3, 1, 4]);
});

Deno.test("httpTransport() requests again if the cached answer is damaged or no longer final", async () => {
  await using folder = await temporaryFolder();
  const body = '{"status":"fulfilled"}';
  await using server = misbehavingServer({ "/x": answers(body) });
  const transport = httpTransport(server.url, { cacheFolder: folder.path });

  await transport.send(final);
  const [name = ""] = await folder.files();
  const file = `${folder.path}/${name}`;
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

Deno.test("httpTransport() supports concurrent requests in one folder, and leaves only complete files", async () => {
  await using folder = await temporaryFolder();
  await using server = misbehavingServer({
    "/x": answers({ status: "fulfilled", pad: "x".repeat(1e6) }),
  });
  const transports = Array.from(
    { length: 8 },
    () => httpTransport(server.url, { cacheFolder: folder.path }),
  );

  const bodies = await Promise.all(transports.map((transport) => transport.send(final)));

  assertEquals(new Set(bodies.map(({ body }) => body)).size, 1);
  assertEquals((await folder.files()).filter((name) => !name.endsWith(".json")), []);
});

Deno.test("httpTransport() rejects an unusable folder before sending", async () => {
  await using folder = await temporaryFolder();
  await Deno.writeTextFile(`${folder.path}/file`, "");
  await using server = misbehavingServer({ "/x": answers('{"status":"fulfilled"}') });
  const transport = httpTransport(server.url, { cacheFolder: `${folder.path}/file` });

  await assertRejects(
    () => transport.send(final),
    InputError,
    "Cannot cache answers in the folder",
  );
  assertEquals(server.count(), 0);
});

Deno.test("httpTransport() returns an answer even if the disk is full", async () => {
  await using folder = await temporaryFolder();
  await using server = misbehavingServer({ "/x": answers('{"status":"fulfilled"}') });
  const transport = httpTransport(server.url, { cacheFolder: `${folder.path}/gone` });

  await transport.send(final);
  await Deno.remove(`${folder.path}/gone`, { recursive: true });

  assertEquals((await transport.send(final)).status, 200);
  assertEquals((await transport.send(final)).status, 200);
  assertEquals(server.count(), 3);
});
