import { assert, assertEquals } from "@std/assert";
import { readQuestions, SEPARATOR } from "../../tools/testing/question_program.ts";
import { printedBy } from "./printed_by.ts";
import {
  attempts,
  fees,
  leads,
  markouts,
  quintiles,
  quotedAndSettled,
  shares,
  waits,
} from "./questions/answers.ts";
import { readMarket } from "./questions/raw_market.ts";

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

/** By the number of the question. What 5 and 6 rest on is told by tests of fairness and of rewards. */
const ANSWERS: Readonly<Record<number, (all: typeof market) => string>> = {
  1: shares,
  2: leads,
  3: quintiles,
  4: fees,
  7: markouts,
  8: waits,
  9: attempts,
  10: quotedAndSettled,
};

for (const [number, answerOf] of Object.entries(ANSWERS)) {
  const { title, answer } = questions[Number(number) - 1]!;
  Deno.test(`the recorded bodies give the same answer: ${title}`, () => {
    assertEquals(answer.split("\n"), answerOf(market).split("\n"));
  });
}
