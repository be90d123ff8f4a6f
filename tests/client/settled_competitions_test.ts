import { assert, assertEquals, assertRejects } from "@std/assert";
import { connect, InputError, NotFoundError, settledCompetitions } from "orderlens";
import { replay } from "orderlens/recordings";
import { FakeTransport, NOT_FOUND } from "../endpoints/fake_transport.ts";
import { storedRun } from "../stored_run.ts";

for (const name of ["market_1", "market_3"]) {
  Deno.test(`settledCompetitions() of ${name} asks for each auction that settled, once`, async () => {
    const recording = await replay(name);
    const { settlements } = await storedRun(name);
    const recorded = new Set(recording.recorded.auctionIds);
    const blocks = settlements.map(({ block_number }) => block_number);
    const transport = new FakeTransport((request) =>
      recording.send(request).catch(() => NOT_FOUND)
    );
    const book = connect(transport);
    const range = { from: Math.min(...blocks), to: Math.max(...blocks) };
    const found = await Array.fromAsync(
      settledCompetitions(book, recording, range, { firstWindow: 500 }),
    );
    const known = settlements.filter(({ auction_id }) => recorded.has(auction_id));
    const expected = [...new Set(known.map(({ auction_id }) => auction_id))];
    const ids = found.flatMap(({ competition }) => competition?.auctionId ?? []);
    assertEquals(ids.toSorted((a, b) => a - b), expected.sort((a, b) => a - b));
    const unknown = found.filter(({ competition }) => competition === null);
    assertEquals(unknown.length, settlements.length - known.length);
    const { length } = transport.requests;
    assert(length <= 1.15 * found.length, `${length} and ${found.length}`);
    const auctionOf = new Map(settlements.map((one) => [one.tx_hash, one.auction_id]));
    for (const { settlement, competition } of found) {
      if (competition === null) continue;
      assertEquals(auctionOf.get(settlement.txHash), competition.auctionId);
    }
    const places = found.map(({ settlement }) => settlement.blockNumber);
    assertEquals(places, places.toSorted((a, b) => a - b));
  });
}

Deno.test("settledCompetitions() rejects books, nodes, blocks and options that are none", async () => {
  const recording = await replay("market_3");
  const book = connect(recording);
  const ask = (...words: unknown[]) => () =>
    Array.fromAsync(settledCompetitions(...words as Parameters<typeof settledCompetitions>));
  await assertRejects(ask(recording, recording, { from: 0, to: 1 }), InputError, "book");
  await assertRejects(ask(book, null, { from: 0, to: 1 }), InputError, "not a node");
  await assertRejects(ask(book, recording, null), InputError, "without blocks");
  await assertRejects(ask(book, recording, { from: 2, to: 1 }), InputError, "not a range");
  await assertRejects(ask(book, recording, { from: 0, to: 1 }, { concurrency: 0 }), InputError);
  const failing = connect(new FakeTransport(() => Promise.reject(new TypeError("broken"))));
  const error = await ask(failing, recording, { from: 380, to: 400 })().catch((reason) => reason);
  assert(error instanceof TypeError && !(error instanceof NotFoundError));
});
