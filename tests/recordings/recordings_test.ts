import { readdir } from "node:fs/promises";
import fc from "fast-check";
import { assert, assertEquals } from "@std/assert";
import type { AuctionRange } from "../../lib/recordings/deployment.ts";
import { shippedRecordings } from "../../lib/recordings/mod.ts";
import {
  collectCompetitions,
  composeCompetition,
} from "../../lib/recordings/recorded_competitions.ts";
import { splitJsonArray } from "../../lib/recordings/recorded_lists.ts";
import { Recording } from "../../lib/recordings/recording.ts";
import {
  type Exchange,
  normalizeBody,
  normalizePath,
  toRoute,
} from "../../lib/recordings/request_key.ts";
import { findShippedRecording } from "../../lib/recordings/shipped_recordings.ts";
import { unpack } from "../metrics/recorded_run.ts";

function competition(name: string | number, auctionId: number, status = 200): Exchange {
  return {
    method: "GET",
    path: `/api/v2/solver_competition/${name}`,
    status,
    contentType: "application/json",
    responseBody: `{"auctionId":${auctionId}}`,
  };
}

function ask(recorded: readonly Exchange[], name: string | number, walked?: AuctionRange) {
  const recording = new Recording(recorded);
  const path = `/api/v2/solver_competition/${name}`;
  return composeCompetition(collectCompetitions(recording), path, { recording, walked });
}

const some = [competition(9, 9), competition(10, 10), competition(5, 5), competition(11, 0, 404)];

Deno.test("composeCompetition() returns the newest recorded competition as the latest", () => {
  assertEquals(ask(some, "latest")?.responseBody, '{"auctionId":10}');
  assertEquals(ask([], "latest"), undefined);
});

Deno.test("composeCompetition() returns 404 only in the gaps of a complete range", () => {
  const answered = (id: number, walked?: AuctionRange) => ask(some, id, walked)?.status;
  const walked = { from: 5, to: 10 };
  assertEquals([4, 7, 12].map((id) => answered(id, walked)), [undefined, 404, undefined]);
  assertEquals([7, 12].map((id) => answered(id)), [undefined, undefined]);
});

Deno.test("composeCompetition() returns 404 above the latest, unless a newer one came after it", () => {
  assertEquals(ask([...some, competition("latest", 10)], 12)?.status, 404);
  assertEquals(ask([...some, competition("latest", 10)], 7), undefined);
  assertEquals(ask([...some, competition("latest", 9)], 12), undefined);
  assertEquals(ask([...some, competition("latest", 10, 404)], 12), undefined);
});

Deno.test("composeCompetition() finds the auction of a settlement that only a competition names", () => {
  const [whole, one, other] = ["a1", "b2", "c3"].map((byte) => `0x${byte.repeat(32)}`);
  const recorded = {
    ...competition(9, 9),
    responseBody:
      `{"auctionId":9,"transactionHashes":["${whole}"],"solutions":[{"txHash":"${one}"},{"txHash":null}],"orders":["${other}"]}`,
  };
  for (const hash of [whole, one]) {
    assertEquals(
      ask([recorded, ...some.slice(1)], `by_tx_hash/${hash}`)?.responseBody,
      recorded.responseBody,
    );
  }
  assertEquals(ask([recorded], `by_tx_hash/${other}`), undefined);
});

Deno.test("composeCompetition() ignores other names and routes", () => {
  const walked = { from: 0, to: 100 };
  for (const name of ["-1", "abc", "7/more", "by_tx_hash/0x12", "99999999999999999999999"]) {
    assertEquals(ask(some, name, walked), undefined, name);
  }
});

Deno.test("normalizePath() and normalizeBody() ignore the order of fields and the case of hex digits, and nothing else", () => {
  const same = [
    [normalizePath, "/api/v2/trades?owner=0xABcd&limit=5", "/api/v2/trades?limit=5&owner=0xabCD"],
    [normalizePath, "/api/v1/orders/0XAB/status", "/api/v1/orders/0xab/status"],
    [normalizePath, "/a?x=%zz", "/a?x=%zz"],
    [
      normalizeBody,
      '{"b":[1,{"d":2,"c":"0xAB"}],"a":null}',
      '{ "a": null, "b": [1, { "c": "0xab", "d": 2 }] }',
    ],
    [normalizeBody, undefined, ""],
  ] as const;
  for (const [keyOf, a, b] of same) assertEquals(keyOf(a!), keyOf(b));
  assertEquals([normalizePath("/api/v1/orders/0XAB/status"), normalizeBody("{")], [
    same[1][2],
    "{",
  ]);
  const different = [
    [normalizePath, "/api/v1/Version", "/api/v1/version"],
    [normalizePath, "/a?limit=1", "/a?limit=2"],
    [normalizePath, "/a?x=1%262", "/a?x=1&2"],
    [normalizeBody, '{"a":1}', '{"a":"1"}'],
    [normalizeBody, "[1,2]", "[2,1]"],
    // Text that merely contains hex.
    [normalizeBody, '{"appData":"{\\"x\\":\\"0xAB\\"}"}', '{"appData":"{\\"x\\":\\"0xab\\"}"}'],
  ] as const;
  for (const [keyOf, a, b] of different) assert(keyOf(a) !== keyOf(b));
});

Deno.test("toRoute() replaces hashes in any case, and omits paging", () => {
  assertEquals(toRoute(`/api/v1/app_data/0x${"A".repeat(64)}`), "/api/v1/app_data/{hash}");
  const owner = `0x${"a".repeat(40)}`;
  assertEquals(toRoute(`/api/v2/trades?owner=${owner}&limit=5&offset=0`), "/api/v2/trades?owner");
});

const data = new URL("../../data/", import.meta.url);

Deno.test("shippedRecordings() lists the files of data/recorded, and those with a deployment file", async () => {
  const files = (await Array.fromAsync(Deno.readDir(new URL("recorded/", data))))
    .map(({ name }) => name);
  const ending = (end: string) =>
    files.filter((name) => name.endsWith(end)).map((name) => name.slice(0, -end.length)).sort();

  const names = await shippedRecordings();
  assertEquals(names, ending(".ndjson.gz"));
  assertEquals(
    names.filter((name) => findShippedRecording(name)?.facts !== undefined),
    ending(".deployment.json"),
  );
});

Deno.test("data/ stays under 12 MB", async () => {
  let size = 0;
  for (const name of await readdir(data, { recursive: true })) {
    const { isFile, size: bytes } = await Deno.stat(new URL(name, data));
    if (isFile) size += bytes;
  }
  assert(size <= 12_000_000, `${size}`);
});

Deno.test("data/README.md names every recording with its number of exchanges", async () => {
  const readme = await Deno.readTextFile(new URL("README.md", data));
  const names = await shippedRecordings();
  assert(names.length > 0);
  for (const name of names) {
    const { length } = (await unpack(`${name}.ndjson.gz`)).trimEnd().split("\n");
    const count = length.toLocaleString("en-US");
    const section = readme.split(`### recorded/${name}.ndjson.gz`)[1]?.split("\n### ")[0] ?? "";
    assert(
      readme.includes(`| \`${name}\` | ${count} |`) ||
        new RegExp(`(^|[^\\d,])${count}\\b`, "m").test(section),
      `${name}: ${count} exchanges`,
    );
  }
});

Deno.test("data/recorded is packed reproducibly: without name and time", async () => {
  const names = await shippedRecordings();
  assert(names.length > 0);
  for (const name of names) {
    const header = (await Deno.readFile(new URL(`recorded/${name}.ndjson.gz`, data))).slice(3, 8);
    assertEquals([...header], [0, 0, 0, 0, 0], name);
  }
});

Deno.test("splitJsonArray() preserves the text of each element, and is undefined for anything but a JSON array", () => {
  assertEquals(splitJsonArray(" [ ]\n"), []);
  assertEquals(splitJsonArray('[ {"price":1.0} , 2e3]'), ['{"price":1.0}', "2e3"]);
  for (const text of ["", "{}", '"[]"', "[1", "[1,]", "[1]]", "Service unavailable"]) {
    assertEquals(splitJsonArray(text), undefined, text);
  }
});

Deno.test("splitJsonArray() splits any array at its top-level commas only", () => {
  fc.assert(fc.property(fc.array(fc.jsonValue()), fc.nat(3), (values, indent) => {
    const texts = splitJsonArray(JSON.stringify(values, null, indent));
    assertEquals(
      texts?.map((text) => JSON.stringify(JSON.parse(text))),
      values.map((value) => JSON.stringify(value)),
    );
  }));
});
