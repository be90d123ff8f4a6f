import { assertEquals } from "@std/assert";
import type { AuctionRange } from "../../lib/recordings/deployment.ts";
import type { Exchange } from "../../lib/recordings/request_key.ts";
import {
  composeCompetition,
  recordedCompetitions,
} from "../../lib/recordings/recorded_competitions.ts";
import { Recording } from "../../lib/recordings/recording.ts";

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
  return composeCompetition(recordedCompetitions(recording), path, { recording, walked });
}

const some = [competition(9, 9), competition(10, 10), competition(5, 5), competition(11, 0, 404)];

Deno.test("composeCompetition() returns the newest recorded competition as the latest", () => {
  assertEquals(ask(some, "latest")?.responseBody, '{"auctionId":10}');
  assertEquals(ask([], "latest"), undefined);
});

Deno.test("composeCompetition() claims no gap without proof", () => {
  assertEquals(ask(some, 7), undefined);
  assertEquals(ask(some, 12), undefined);
});

Deno.test("composeCompetition() answers 404 only in the gaps of a complete range", () => {
  const walked = { from: 5, to: 10 };
  assertEquals(ask(some, 7, walked)?.status, 404);
  assertEquals(ask(some, 4, walked), undefined);
  assertEquals(ask(some, 12, walked), undefined);
});

Deno.test("composeCompetition() answers 404 above the latest, unless a newer one came after it", () => {
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
