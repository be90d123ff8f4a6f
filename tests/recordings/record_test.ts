import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  type HttpRequest,
  type HttpResponse,
  httpTransport,
  type Transport,
} from "../../lib/http/mod.ts";
import { record, replay } from "../../lib/recordings/mod.ts";
import { readRecording } from "../../lib/recordings/recording.ts";
import { errorText, inFolder } from "../sandbox/temp_folder.ts";

const methods = ["GET", "POST", "PUT", "DELETE"] as const;

/** A transport that echoes requests, some later than others. */
function echo(wait = 0): Transport {
  return {
    baseUrl: "https://user:password@example.org/mainnet",
    async send({ method, path, body = "" }): Promise<HttpResponse> {
      for (let turn = 0; turn < wait * path.length % 17; turn++) await Promise.resolve();
      return {
        status: 200,
        contentType: "text/plain",
        headers: new Headers({ "content-type": "text/plain", "set-cookie": "secret" }),
        body: `${method} ${path} ${body}\n`,
      };
    },
  };
}

async function written(folder: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name)).sort();
}

inFolder.test("record() writes what a replay answers with the same bytes", async (folder) => {
  const edges = await readRecording(
    new URL("../../data/recorded/edges.ndjson.gz", import.meta.url),
  );
  const requests = edges.flatMap(({ method, path, requestBody }): HttpRequest[] => {
    const known = methods.find((each) => each === method);
    if (known === undefined) return [];
    return [{ method: known, path, ...(requestBody === undefined ? {} : { body: requestBody }) }];
  });
  const recorder = record(await replay("edges"), folder);
  const first = await Array.fromAsync(requests, (request) => recorder.send(request));
  const recording = await replay(folder);
  assertEquals(recording.deployment, (await replay("edges")).deployment);
  assertEquals(await Array.fromAsync(requests, (request) => recording.send(request)), first);
  assertEquals(first.length, 239);
});

inFolder.test(
  "record() writes six fields per exchange: no headers, no URL, no empty body",
  async (folder, t) => {
    const recorder = record(echo(), folder);
    await recorder.send({ method: "GET", path: "/api/v1/version" });
    await recorder.send({ method: "POST", path: "/api/v1/quote", body: '{"kind":"sell"}' });
    const atRoot = { method: "GET", path: "/accounts/0x12/notifications", at: "root" } as const;
    const { body } = await recorder.send(atRoot);
    assertEquals((await (await replay(folder)).send(atRoot)).body, body);
    assertEquals(await written(folder), ["exchanges-0001.ndjson"]);
    await t.assertSnapshot(await Deno.readTextFile(`${folder}/exchanges-0001.ndjson`));
  },
);

inFolder.test("record() keeps the lines of concurrent requests whole", async (folder) => {
  const recorder = record(echo(1), folder);
  const long = "x".repeat(10_000);
  await Promise.all(
    Array.from(
      { length: 200 },
      (_, at) => recorder.send({ method: "POST", path: `/${"y".repeat(at)}`, body: long }),
    ),
  );
  const exchanges = await readRecording(`${folder}/exchanges-0001.ndjson`);
  assertEquals(new Set(exchanges.map(({ path }) => path)).size, 200);
  assertEquals(exchanges.length, 200);
});

inFolder.test("record() never writes to the file of another recorder", async (folder) => {
  for (const path of ["/a", "/b"]) await record(echo(), folder).send({ method: "GET", path });
  const both = [record(echo(), folder), record(echo(), folder)];
  await Promise.all(both.map((each) => each.send({ method: "GET", path: "/c" })));
  assertEquals(
    await written(folder),
    [1, 2, 3, 4].map((number) => `exchanges-000${number}.ndjson`),
  );
  assertEquals(
    (await (await replay(folder)).send({ method: "GET", path: "/b" })).body,
    "GET /b \n",
  );
});

inFolder.test("record() passes a stream on as it arrives, and records it at its end", async (folder) => {
  const answer = { status: 200, contentType: "text/event-stream" };
  const chunks = ["data: 1\n\n", "data: 2\n\n"];
  const transport: Transport = {
    ...echo(),
    stream: () => Promise.resolve({ ...answer, chunks: ReadableStream.from(chunks) }),
  };
  assertEquals(record(echo(), folder).stream, undefined);
  const recorder = record(transport, folder);
  const request = { method: "POST", path: "/api/v1/quote/stream", body: "{}" } as const;
  const left = await recorder.stream?.(request);
  for await (const chunk of left?.chunks ?? []) {
    assertEquals(chunk, chunks[0]);
    break;
  }
  const file = `${folder}/exchanges-0001.ndjson`;
  assertEquals(await readRecording(file), []);
  const whole = await recorder.stream?.(request);
  assertEquals(await Array.fromAsync(whole?.chunks ?? []), chunks);
  assertEquals(await readRecording(file), [{
    method: "POST",
    path: request.path,
    requestBody: "{}",
    ...answer,
    responseBody: "data: 1\n\ndata: 2\n\n",
  }]);
});

inFolder.test("record() passes an error through and does not record it", async (folder) => {
  const broken = new Error("connection reset");
  const transport: Transport = {
    baseUrl: "https://example.org",
    send: () => Promise.reject(broken),
  };
  const recorder = record(transport, folder);
  const error = await assertRejects(() => recorder.send({ method: "GET", path: "/a" }));
  assert(error === broken);
  assertEquals(await readRecording(`${folder}/exchanges-0001.ndjson`), []);
});

inFolder.test("record() sends nothing once the signal is aborted", async (folder) => {
  const reason = new Error("enough");
  const request = { method: "GET", path: "/a", signal: AbortSignal.abort(reason) } as const;
  assert(await assertRejects(() => record(echo(), folder).send(request)) === reason);
  assertEquals(await written(folder), []);
});

inFolder.test(
  "record() writes the deployment too, and rejects a folder of another one before sending",
  async (parent, t) => {
    const folder = `${parent}/new/recording`;
    const deployment = { chainId: 100, settlementContract: `0x${"9".repeat(40)}` };
    const recorder = record(echo(), folder, { deployment });
    assertEquals(recorder.deployment, deployment);
    await recorder.send({ method: "GET", path: "/a" });
    assertEquals((await replay(folder)).deployment, deployment);
    const other = record(echo(), folder, { deployment: { ...deployment, chainId: 1 } });
    await t.assertSnapshot(await errorText(other.send({ method: "GET", path: "/b" }), folder));
    assertEquals(await written(folder), ["deployment.json", "exchanges-0001.ndjson"]);
  },
);

inFolder.test("record() reports that a folder cannot be written, before sending", async (folder) => {
  const file = `${folder}/file`;
  await Deno.writeTextFile(file, "");
  let sent = 0;
  const transport: Transport = { baseUrl: "", send: (request) => (sent++, echo().send(request)) };
  const text = await errorText(
    record(transport, file).send({ method: "GET", path: "/a" }),
    folder,
  );
  assertEquals(text.split("\n")[0], "InputError: Cannot write the recording in <folder>/file");
  assertEquals(sent, 0);
});

inFolder.test("record() writes no key of a path", async (folder) => {
  const key = "k3y-7f1c9a2e5d8b4060";
  const fetch = () => Promise.resolve(new Response("v1"));
  const transport = httpTransport("https://example.org", { fetch });
  await record(transport, folder).send({ method: "GET", path: `/api/v1/version?api_key=${key}` });
  const [file = ""] = await written(folder);
  const line = JSON.parse(await Deno.readTextFile(`${folder}/${file}`));
  assertEquals(line.path, "/api/v1/version?api_key=[hidden]");
});
