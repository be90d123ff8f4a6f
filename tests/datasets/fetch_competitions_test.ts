import { HttpStatusError } from "orderlens";
import { assertEquals, assertRejects } from "@std/assert";
import { CompetitionFetcher } from "../../lib/datasets/export/fetch_competitions.ts";
import { padId } from "../../lib/datasets/layout/files.ts";
import type { Item } from "../../lib/datasets/state/export_state.ts";
import { type FakeAnswer, FakeTransport, NOT_FOUND } from "../endpoints/fake_transport.ts";
import { competitionNumber } from "../endpoints/recorded_bodies.ts";

const DOWN: FakeAnswer = { status: 503, body: "down" };

/** Asks for ids of a service; `outcomes` are the ids with their states and the number of responses. */
function asking(answer: (which: string) => FakeAnswer, state: "absent" | null = null) {
  const service = new FakeTransport(({ path }) => answer(path.split("/").at(-1)!));
  const asker = new CompetitionFetcher(
    {
      transport: service,
      needs: new Set(),
      settlementContract: "",
      node: null,
      fills: null,
      executed: new Map(),
      concurrency: 1,
      signal: undefined,
      now: () => Date.UTC(2030, 0, 1),
      failures: { inRow: 0 },
    } as unknown as ConstructorParameters<typeof CompetitionFetcher>[0],
  );
  async function outcomes(...ids: number[]): Promise<string[]> {
    const items = ids.map((id) => ({ kind: "competition", key: padId(id), shard: 0, state }));
    const all = await Array.fromAsync(asker.fetch(items as unknown as Item[]));
    return all.map(({ item, state, responses: answers }) =>
      `${Number(item.key)} ${state} ${answers.length}`
    );
  }
  const asked = () => service.paths.map((path) => path.split("/").at(-1)).join(" ");
  return { outcomes, asked };
}

const visible = (which: string): FakeAnswer => ({ body: competitionNumber(Number(which)) });

Deno.test("CompetitionFetcher stores the own response of an auction that became visible in between", async () => {
  let isLatestAsked = false;
  const { outcomes, asked } = asking((which) => {
    if (which !== "latest") return which === "5" && !isLatestAsked ? NOT_FOUND : visible(which);
    isLatestAsked = true;
    return visible("5");
  });
  assertEquals(await outcomes(4, 5), ["4 present 1", "5 present 1"]);
  assertEquals(asked(), "4 5 latest 5");
});

Deno.test("CompetitionFetcher ends after eight failures in a row, and not after eight among others", async () => {
  const ids = Array.from({ length: 30 }, (_, index) => index + 1);
  const some = asking((which) => Number(which) % 3 === 0 ? visible(which) : DOWN);
  const states = (await some.outcomes(...ids)).map((outcome) => outcome.split(" ")[1]);
  assertEquals(states.filter((state) => state === "failed").length, 20);
  const none = asking(() => DOWN);
  await assertRejects(() => none.outcomes(...ids), HttpStatusError, "auction 8");
});

Deno.test("CompetitionFetcher takes no id for a gap because a later one failed", async () => {
  const { outcomes } = asking((which) => which === "3" ? DOWN : NOT_FOUND);
  assertEquals(await outcomes(1, 2, 3), ["3 failed 0", "1 hidden 0", "2 hidden 0"]);
  const later = asking((which) => which === "3" ? visible(which) : NOT_FOUND);
  assertEquals(await later.outcomes(1, 2, 3), ["1 absent 1", "2 absent 1", "3 present 1"]);
});

Deno.test("CompetitionFetcher requests the latest first where ids were absent before", async () => {
  const answer = (which: string) =>
    which === "latest" ? visible("9") : Number(which) < 3 ? NOT_FOUND : visible(which);
  const again = asking(answer, "absent");
  await again.outcomes(1, 2, 3);
  assertEquals(again.asked(), "latest 1 2 3");
  const first = asking(answer);
  await first.outcomes(1, 2, 3);
  assertEquals(first.asked(), "1 latest 1 2 3");
});
