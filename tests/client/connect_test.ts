import { connect, InputError, NETWORKS } from "orderlens";
import { systemClock } from "orderlens/http";
import { replay } from "orderlens/recordings";
import { inspectAuction } from "orderlens/reports";
import { openSandbox } from "orderlens/sandbox";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { response } from "../endpoints/fake_transport.ts";
import { TestClock } from "../test_clock.ts";

const SETTLEMENT = "0x9008d19f58aabd9ed0d60971565aa8510560ab41";
const OWN = "0xA513e6e4b8f2a923d98304ec87f64353c4d5c853";
/** A transport that does not know its deployment. */
const BARE = {
  baseUrl: "http://fake.localhost",
  send: () => Promise.resolve(response({ body: "v1" })),
};

Deno.test("connect() knows every public network, in production and in staging", () => {
  assert(Object.keys(NETWORKS).length > 10);
  for (const { name, chainId, api, contracts } of Object.values(NETWORKS)) {
    const production = connect(name);
    assertEquals(production.baseUrl, api.production);
    assertEquals(production.chainId, chainId);
    assertEquals(production.environment, "production");
    assertEquals(production.settlementContract, contracts.settlement.production);
    const staging = connect(name, { environment: "staging" });
    assertEquals(staging.baseUrl, api.staging);
    assertEquals(staging.network?.name, name);
    assertEquals(staging.settlementContract, contracts.settlement.staging.newer);
  }
});

Deno.test("connect() rejects a misspelled network at compile time, and suggests a name at run time", () => {
  // @ts-expect-error No network has this name.
  const misspelt = () => connect("mainet");
  assertThrows(misspelt, InputError, 'did you mean "mainnet"');
  // @ts-expect-error A URL requires its chain id.
  const chainless = () => connect("http://127.0.0.1:8080");
  assertThrows(chainless, InputError, "without its chain id");
  // @ts-expect-error There are two environments.
  const nowhere = () => connect("mainnet", { environment: "prod" });
  assertThrows(nowhere, InputError, '"prod"');
});

Deno.test("connect() accepts any URL with its chain id, and its own contract if given", () => {
  const mine = connect("http://127.0.0.1:8080/", { chainId: 100, settlementContract: OWN });
  assertEquals(mine.baseUrl, "http://127.0.0.1:8080");
  assertEquals(mine.chainId, 100);
  assertEquals(mine.settlementContract, OWN.toLowerCase());
  assertEquals(mine.domain, {
    name: "Gnosis Protocol",
    version: "v2",
    chainId: 100,
    verifyingContract: OWN.toLowerCase(),
  });
  assertEquals([mine.network, mine.environment], [null, null]);

  const url = new URL("https://example.org/xdai");
  const usual = connect(url, { chainId: 100 });
  assertEquals(usual.baseUrl, "https://example.org/xdai");
  assertEquals(usual.settlementContract, SETTLEMENT);
});

Deno.test("connect() rejects invalid targets", () => {
  const wrong: [() => unknown, string][] = [
    [() => connect("127.0.0.1:8080", { chainId: 1 }), "neither a network name nor a URL"],
    [() => connect("ftp://example.org", { chainId: 1 }), "ftp://example.org"],
    [() => connect("http://127.0.0.1", { chainId: 0 }), "chain id"],
    [() => connect("http://127.0.0.1", { chainId: 1, settlementContract: "0x12" }), "settlement"],
    [() => connect("mainnet", { chainId: 100 }), "with chain id 100"],
    [() => connect(null as unknown as string, { chainId: 1 }), "Cannot connect to"],
    [() => connect(BARE), "its deployment is unknown"],
  ];
  for (const [call, fault] of wrong) assertThrows(call, InputError, fault);
});

Deno.test("connect() takes facts from a recording, or from options for a transport without facts", async () => {
  const recording = await replay("edges");
  const { transport, chainId, settlementContract } = connect(recording);
  assertEquals([transport, chainId, settlementContract], [recording, 1, OWN.toLowerCase()]);
  const fake = connect(BARE, { chainId: 5, settlementContract: OWN });
  assertEquals(await fake.version(), "v1");
});

Deno.test("connect() keeps the names of a sandbox's solvers, which reports show", async () => {
  const sandbox = await openSandbox({ seed: 7, auctions: 20 });
  const book = connect(sandbox);
  const { auctionId } = await book.competition("latest");
  const { solutions } = await inspectAuction(book, auctionId);
  const names = new Map(sandbox.deployment.solvers!.map(({ address, name }) => [address, name]));
  assert(solutions.length > 0);
  for (const { solver, solverName } of solutions) assertEquals(solverName, names.get(solver));
});

Deno.test("connect() takes the clock of the options, else that of the deployment, else the system clock", () => {
  const [own, given] = [new TestClock(), new TestClock()];
  const deployment = { chainId: 1, settlementContract: OWN };
  const fetch = () => Promise.resolve(new Response());
  assertEquals(connect({ fetch, deployment, clock: own }).clock, own);
  assertEquals(connect({ fetch, deployment, clock: own }, { clock: given }).clock, given);
  assertEquals(connect({ fetch, deployment }).clock, systemClock);
  assertEquals(connect(BARE, { ...deployment, clock: given }).clock, given);
  assertEquals(connect("mainnet").clock, systemClock);
  assertEquals(connect("http://127.0.0.1", { chainId: 1, clock: given }).clock, given);
});

Deno.test("connect() sends headers to the deployment, and notifications to the root", async () => {
  const asked: [string, string | null][] = [];
  const options = {
    chainId: 1,
    headers: { "x-api-key": "k7Qz-3vX9-pR2w" },
    fetch(url: string, init: RequestInit): Promise<Response> {
      asked.push([url, new Headers(init.headers).get("x-api-key")]);
      return Promise.resolve(Response.json([]));
    },
  };
  const account = SETTLEMENT;
  await connect("https://example.org/mainnet", options).notifications(account);
  await connect("https://example.org/mainnet", {
    ...options,
    rootUrl: "https://notes.example.org/v1",
  }).notifications(account);
  assertEquals(asked, [
    [`https://example.org/accounts/${account}/notifications`, "k7Qz-3vX9-pR2w"],
    [`https://notes.example.org/v1/accounts/${account}/notifications`, null],
  ]);
});
