import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { InputError, MismatchError, NotFoundError, UnauthorizedError } from "orderlens";
import { getInstance, routeInstances } from "orderlens/endpoints";
import { parseInstanceStore } from "../../lib/endpoints/instances.ts";
import { answers, misbehavingServer } from "../misbehaving_server.ts";
import { FakeTransport } from "./fake_transport.ts";

const OWNER = `0x${"0e".repeat(20)}`;
const BODY = { id: "7", orders: [], surplusCapturingJitOrderOwners: [OWNER] };

Deno.test("getInstance() gets the instance of an auction, also one that does not name its id", async () => {
  const transport = new FakeTransport(({ path }) => ({
    body: path.includes("/8.") ? { orders: [] } : BODY,
  }));
  assertEquals((await getInstance(transport, 7)).surplusCapturingJitOrderOwners, [OWNER]);
  assertEquals(await getInstance(transport, 8), { orders: [] });
  assertEquals(transport.paths, ["/instances/7.json", "/instances/8.json"]);
});

Deno.test("getInstance() says that a store does not have it, refuses it, or has another", async () => {
  const page = '<?xml version="1.0"?><Error><Code>NoSuchKey</Code></Error>';
  const respond = (status: number, body: unknown = page) =>
    new FakeTransport(() => ({ status, body, contentType: "application/xml" }));
  const missing = await assertRejects(() => getInstance(respond(404), 7), NotFoundError);
  assertEquals(missing.status, 404);
  const refused = await assertRejects(() => getInstance(respond(403), 7), UnauthorizedError);
  assertEquals(refused.status, 403);
  const other = new FakeTransport(() => ({ body: BODY }));
  await assertRejects(() => getInstance(other, 8), MismatchError, "8");
  const quote = new FakeTransport(() => ({ body: { ...BODY, id: null } }));
  await assertRejects(() => getInstance(quote, 8), MismatchError, "null");
  await assertRejects(() => getInstance(other, -1), InputError);
  assertEquals(other.requests.length, 1);
});

Deno.test("routeInstances() requests instances from a folder, and everything else from the deployment", async () => {
  const deployment = new FakeTransport(({ path }) => ({ body: path }));
  await using server = misbehavingServer({ "/prod/mainnet/7.json": answers(JSON.stringify(BODY)) });
  const transport = routeInstances(deployment, `${server.url}/prod/mainnet/`);
  assertEquals((await getInstance(transport, 7)).id, 7);
  await transport.send({ method: "GET", path: "/api/v1/version" });
  assertEquals(deployment.paths, ["/api/v1/version"]);
  assertEquals(transport.baseUrl, deployment.baseUrl);
});

Deno.test("routeInstances() unpacks a file that was stored packed, and is served as bytes", async () => {
  const packed = await new Response(
    new Blob([JSON.stringify(BODY)]).stream().pipeThrough(new CompressionStream("gzip")),
  ).bytes();
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    const isFile = new URL(request.url).pathname === "/auction/7.json.gz";
    return isFile
      ? new Response(packed, { headers: { "content-type": "application/gzip" } })
      : new Response("no", { status: 404 });
  });
  const url = `http://127.0.0.1:${server.addr.port}/auction/{id}.json.gz`;
  const transport = routeInstances(new FakeTransport(() => ({})), url);
  const { surplusCapturingJitOrderOwners } = await getInstance(transport, 7);
  await assertRejects(() => getInstance(transport, 8), NotFoundError);
  await server.shutdown();
  assertEquals(surplusCapturingJitOrderOwners, [OWNER]);
});

Deno.test("routeInstances() requests instances of the deployment itself by a path", async () => {
  const deployment = new FakeTransport(() => ({ body: BODY }));
  await getInstance(routeInstances(deployment, "/archive/{id}"), 7);
  await getInstance(routeInstances(deployment, "/instances"), 7);
  assertEquals(deployment.paths, ["/archive/7", "/instances/7.json"]);
});

Deno.test("parseInstanceStore() names a store without credentials and query", () => {
  const { host, path, name } = parseInstanceStore(
    "https://name:password@host.example/prod/{id}.json?X-Amz-Signature=0123456789abcdef",
  );
  assertEquals(host, "https://name:password@host.example/");
  assertEquals(path, "/prod/{id}.json?X-Amz-Signature=0123456789abcdef");
  assertEquals(name, "https://host.example/prod/{id}.json");
  assertEquals(parseInstanceStore("https://host.example").name, "https://host.example/{id}.json");
  for (const url of ["host/prod", "ftp://host/{id}.json", "//host/{id}.json", ""]) {
    assertThrows(() => parseInstanceStore(url), InputError, "Cannot get instances from");
  }
});
