import { assertEquals, assertThrows } from "@std/assert";
import { readFacts } from "../../lib/recordings/deployment.ts";
import { errorText, inFolder } from "../sandbox/temp_folder.ts";
import { NETWORKS } from "orderlens";
import { computeOrderUid, orderDomain } from "orderlens/evm";
import { decodeOrder } from "orderlens/schemas";
import { InputError } from "../../lib/errors/mod.ts";
import { deriveDeployment } from "../../lib/recordings/replay.ts";
import type { Exchange } from "../../lib/recordings/request_key.ts";
import { readRecording, Recording } from "../../lib/recordings/recording.ts";
import { JIT_DEPLOYMENT, jitRecording } from "../jit_recording.ts";

const contract = `0x${"9".repeat(40)}`;

inFolder.test("readFacts() reads known fields and ignores others", async (folder) => {
  const file = `${folder}/deployment.json`;
  const deployment = {
    chainId: 100,
    settlementContract: contract,
    tokens: [{ address: contract, decimals: 0, symbol: "T" }],
  };
  await Deno.writeTextFile(file, JSON.stringify({ ...deployment, vaultRelayer: contract }));
  assertEquals(await readFacts(file), { deployment });
});

inFolder.test("readFacts() names the invalid field", async (folder, t) => {
  const file = `${folder}/deployment.json`;
  const good = { chainId: 1, settlementContract: contract };
  const texts = [];
  const cases = [
    "{",
    "[]",
    JSON.stringify({ ...good, chainId: "1" }),
    JSON.stringify({ chainId: 1 }),
    JSON.stringify({ ...good, wrappedNativeToken: "0x12" }),
    JSON.stringify({ ...good, ethFlowContracts: contract }),
    JSON.stringify({ ...good, tokens: [{ address: contract, symbol: "T" }] }),
    JSON.stringify({ ...good, solvers: [{ address: contract }] }),
    JSON.stringify({ ...good, walked: { from: 1 } }),
    JSON.stringify({ ...good, walked: { from: 2, to: 1 } }),
  ];
  for (const wrong of cases) {
    await Deno.writeTextFile(file, wrong);
    texts.push(await errorText(readFacts(file), folder));
  }
  await t.assertSnapshot(texts.join("\n\n"));
});

const recorded = new URL("../../data/recorded/hooks__partial_fills.ndjson.gz", import.meta.url);
const CONTRACT = "0xa513e6e4b8f2a923d98304ec87f64353c4d5c853";

/** The recorded orders with another settlement contract. */
async function orders(settlementContract = CONTRACT): Promise<Exchange[]> {
  const exchanges = await readRecording(recorded);
  return exchanges.filter(({ path }) => path.includes("/orders")).map((each) => ({
    ...each,
    responseBody: each.responseBody.replaceAll(CONTRACT, settlementContract),
  }));
}

Deno.test("deriveDeployment() finds the chain id that matches the UIDs", async () => {
  const deployment = { chainId: 1, settlementContract: CONTRACT };
  for (const part of ["", "/account/", "by_uids"]) {
    const some = (await orders()).filter(({ path }) => path.includes(part));
    assertEquals(deriveDeployment("recording", new Recording(some)), deployment, part);
  }
});

Deno.test("deriveDeployment() is null if no order identifies it", async () => {
  assertEquals(deriveDeployment("recording", new Recording([])), null);
  const elsewhere = await orders(`0x${"1".repeat(40)}`);
  assertEquals(deriveDeployment("recording", new Recording(elsewhere)), null);
});

Deno.test("deriveDeployment() ignores the contract of a JIT order", async () => {
  const { exchanges } = await jitRecording({ owners: [] });
  const recording = exchanges as unknown as Exchange[];
  for (const order of [recording, recording.toReversed()]) {
    assertEquals(deriveDeployment("recording", new Recording(order)), JIT_DEPLOYMENT);
  }
});

Deno.test("deriveDeployment() rejects orders of a public deployment beside a JIT order", async () => {
  const { exchanges, jitUid } = await jitRecording({ owners: [] });
  const recording = exchanges as unknown as Exchange[];
  // The same order signed for the public contract: its UID does not match under the other one.
  const body = JSON.parse(recording.find(({ path }) => path.endsWith(jitUid))!.responseBody);
  const order = decodeOrder(body);
  const { production: settlementContract } = NETWORKS.mainnet.contracts.settlement;
  const uid = computeOrderUid(orderDomain({ chainId: 1, settlementContract }), order);
  const foreign = {
    ...recording[0]!,
    path: `/api/v1/orders/${uid}`,
    responseBody: JSON.stringify({ ...body, uid }),
  };
  const mixed = new Recording([...recording, foreign]);
  const says = "its orders come from several deployments";
  assertThrows(() => deriveDeployment("recording", mixed), InputError, says);
});

Deno.test("deriveDeployment() rejects orders of two deployments", async (t) => {
  const both = new Recording([...await orders(), ...await orders(`0x${"1".repeat(40)}`)]);
  await t.assertSnapshot(
    assertThrows(() => deriveDeployment("recording", both), InputError).message,
  );
});
