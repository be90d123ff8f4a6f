import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { openSandbox } from "../../../lib/sandbox/mod.ts";
import { ANY_GET, anyBody, type AnyRequest, damagedBody } from "./any_request.ts";
import { OrderDesk } from "./order_desk.ts";

const MOST = 2n ** 256n - 1n;

Deno.test("openSandbox() never answers 500 to unknown requests", async () => {
  const sandbox = await openSandbox({ seed: 9, auctions: 10 });
  const desk = new OrderDesk(sandbox);
  const isUnderstood = async ({ method, path, body }: AnyRequest) => {
    const { status } = await desk.ask(`${method} ${path}`, body);
    assert(status < 500, `${status} for ${method} ${path} ${body}`);
  };
  await fc.assert(fc.asyncProperty(anyBody(sandbox), isUnderstood), { numRuns: 1_500 });
  await fc.assert(fc.asyncProperty(damagedBody(sandbox), isUnderstood), { numRuns: 1_000 });
  await fc.assert(fc.asyncProperty(ANY_GET, isUnderstood), { numRuns: 1_000 });
  // Accepted requests must not stop the market, and must be reported.
  await sandbox.advance({ auctions: 10 });
  const [account] = sandbox.description.accounts;
  const { text } = await desk.ask(`GET /api/v1/account/${account}/orders?limit=1000`);
  assert(JSON.parse(text).length > 0);
});

Deno.test("openSandbox() accepts orders of any size", async () => {
  const sandbox = await openSandbox({ seed: 9 });
  const [, sell, , buy] = sandbox.description.tokens;
  const desk = new OrderDesk(sandbox);
  const uids: string[] = [];
  for (const kind of ["sell", "buy"]) {
    for (const partiallyFillable of [true, false]) {
      for (const [sellAmount, buyAmount] of [[MOST, 1n], [1n, MOST], [1n, 1n]] as const) {
        const pair = { sellToken: sell!.address, buyToken: buy!.address };
        const terms = { kind, partiallyFillable, sellAmount, buyAmount };
        uids.push(await desk.placed({ ...pair, ...terms }));
      }
    }
  }
  await sandbox.advance({ auctions: 10 });
  for (const uid of uids) {
    for (const path of [`/api/v1/orders/${uid}`, `/restricted/api/v1/debug/order/${uid}`]) {
      assertEquals((await desk.ask(`GET ${path}`)).status, 200, path);
    }
  }
});
