import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { InputError } from "../../lib/errors/mod.ts";
import { openSandbox } from "../../lib/sandbox/mod.ts";

Deno.test("openSandbox() returns the same bytes for the same seed", async () => {
  const texts = [];
  for (let run = 0; run < 2; run++) {
    const sandbox = await openSandbox({ seed: 42, auctions: 40 });
    const { accounts, orderUids } = sandbox.description;
    const paths = [
      "/sandbox",
      "/api/v2/solver_competition/latest",
      "/api/v1/auction",
      ...accounts.map((account) => `/api/v1/account/${account}/orders?limit=1000`),
      ...accounts.map((account) => `/accounts/${account}/notifications`),
      ...orderUids.map((uid) => `/restricted/api/v1/debug/order/${uid}`),
    ];
    const bodies = paths.map(async (path) => await (await sandbox.fetch(`http://x${path}`)).text());
    texts.push((await Promise.all(bodies)).join("\n"));
  }
  assert(texts[0]!.length > 10_000);
  assertEquals(texts[0], texts[1]);
  const other = await openSandbox({ seed: 43, auctions: 40 });
  assert(!texts[0]!.includes(other.description.orderUids[0]!));
});

Deno.test("openSandbox() rejects invalid options", async () => {
  await assertRejects(() => openSandbox({ seed: -1 }), InputError);
  await assertRejects(() => openSandbox({ auctions: 0.5 }), InputError);
  const sandbox = await openSandbox();
  await assertRejects(() => sandbox.advance({ auctions: -1 }), InputError);
  assertThrows(() => sandbox.fault({ kind: "reset", rate: 2 }), InputError);
  const misspelt = [{ sed: 3 }, { limits: { ordersPerHour: 3 } }] as object[];
  for (const options of misspelt) {
    await assertRejects(() => openSandbox(options), InputError, "unknown option");
  }
  assertThrows(() => sandbox.preSign(`0x${"ab".repeat(56)}`), InputError);
});
