import { HttpStatusError, NotFoundError } from "orderlens";
import { assertEquals, assertRejects } from "@std/assert";
import { AuctionReader } from "../../lib/client/auction_reader.ts";
import { type FakeAnswer, FakeTransport, NOT_FOUND } from "../endpoints/fake_transport.ts";
import { competitionNumber } from "../endpoints/recorded_bodies.ts";

/** A service with auctions 3, 5 and 9; auction 6 cannot be decoded, and 8 not be had. */
function looksAt(otherwise: Readonly<Record<string, FakeAnswer>> = {}) {
  const service = new FakeTransport(({ path }) => {
    const which = path.split("/").at(-1)!;
    const answers: Record<string, FakeAnswer> = {
      3: { body: competitionNumber(3) },
      5: { body: competitionNumber(5) },
      6: { body: { auctionId: 6 } },
      8: { status: 503, body: "down" },
      9: { body: competitionNumber(9) },
      latest: { body: competitionNumber(9) },
      by_uids: { body: [] },
      ...otherwise,
    };
    return answers[which] ?? NOT_FOUND;
  });
  const asked = () => service.paths.map((path) => path.split("/").at(-1)).join(" ");
  return { looks: new AuctionReader(service, undefined), service, asked };
}

Deno.test("AuctionReader.findFirst finds the first auction of some ids, requesting each once, one at a time", async () => {
  const { looks, service, asked } = looksAt();
  const idOf = async (ids: number[]) => (await looks.findFirst(ids))?.auctionId;
  assertEquals([await idOf([1, 2, 3, 4]), await idOf([7, 6, 5]), await idOf([4])], [
    3,
    5,
    undefined,
  ]);
  assertEquals([asked(), service.mostPending], ["1 2 3 7 6 5 4", 1]);
  assertEquals([await idOf([4, 6, 7, 2, 5]), asked()], [5, "1 2 3 7 6 5 4"]);
  assertEquals((await looks.readLatest()).auctionId, 9);
  assertEquals([await idOf([9]), asked()], [9, "1 2 3 7 6 5 4 latest"]);
});

Deno.test("AuctionReader does not take failures of the service for ids without an auction", async () => {
  const { looks } = looksAt({ latest: NOT_FOUND });
  await assertRejects(() => looks.findFirst([7, 8, 9]), HttpStatusError, "auction 8");
  await assertRejects(() => looks.readLatest(), NotFoundError);
});

Deno.test("AuctionReader.findNewestOrder compares an auction with the nearest before it", async () => {
  const { looks, asked } = looksAt();
  await looks.findNewestOrder((await looks.findFirst([5]))!);
  assertEquals(asked().split(" ").slice(0, 3), ["5", "4", "3"]);
});
