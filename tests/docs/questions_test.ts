import { assert, assertEquals } from "@std/assert";
import { readQuestions, SEPARATOR } from "../../tools/testing/question_program.ts";
import { printedBy } from "./printed_by.ts";
import { attempts, fees, filtered, rewards } from "./questions/auction_answers.ts";
import { readMarket } from "./questions/raw_market.ts";
import {
  leads,
  markouts,
  quintiles,
  quotedAndSettled,
  shares,
  waits,
} from "./questions/trade_answers.ts";

/** What the page promises. */
const MOST_LINES = 15;

const page = await Deno.readTextFile(new URL("../../docs/questions.md", import.meta.url));
const { questions, program } = readQuestions(page);
const market = await readMarket();

Deno.test("the page of questions has ten, each answered in at most 15 lines", () => {
  assertEquals(questions.length, 10);
  for (const { title, program, answer } of questions) {
    assert(answer !== "", title);
    const lines = program.trim().split("\n");
    assert(lines.length <= MOST_LINES && lines.every(({ length }) => length <= 100), title);
  }
});

Deno.test("every question prints its answer after the beginning", async () => {
  assertEquals(
    (await printedBy(program)).split(SEPARATOR).map((text) => text.trim()),
    [...questions.map(({ answer }) => answer), ""],
  );
});

const ANSWERS = [
  shares,
  leads,
  quintiles,
  fees,
  (all: typeof market) => filtered(all).answer,
  rewards,
  markouts,
  waits,
  attempts,
  quotedAndSettled,
];

for (const [index, { title, answer }] of questions.entries()) {
  Deno.test(`the recorded bodies give the same answer: ${title}`, async () => {
    assertEquals(answer.split("\n"), (await ANSWERS[index]!(market)).split("\n"));
  });
}

Deno.test("scores of orders add up to those of the filtered solutions, and decide every pair", () => {
  const { undecided, sums } = filtered(market);
  assertEquals(undecided, 0);
  assertEquals(sums.length, 56);
  // Without the policies of all orders, their fees are what is left.
  assertEquals(sums.filter(({ isExact }) => isExact).map(({ rest }) => rest), [0n, 0n, 0n]);
  assert(sums.every(({ rest, isExact }) => isExact || rest > 0n));
});
