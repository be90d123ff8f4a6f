import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { fileURLToPath } from "node:url";
import { openMarket } from "orderlens/market";
import { findPython } from "../../tools/jupyter/find_python.ts";
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

/** Lines of an answer at most, as the page says, and from which question on they are fewer. */
const [MOST_LINES, SHORT_LINES, SHORT_FROM] = [15, 5, 11];

const page = await Deno.readTextFile(new URL("../../docs/questions.md", import.meta.url));
const { questions, program } = readQuestions(page);
const market = await readMarket();

Deno.test("the page has twenty questions, ten answered in 15 lines and ten in five", () => {
  assertEquals(questions.length, 20);
  for (const [index, { title, program, answer }] of questions.entries()) {
    assert(answer !== "", title);
    const lines = program.trim().split("\n");
    const most = index + 1 < SHORT_FROM ? MOST_LINES : SHORT_LINES;
    assert(lines.length <= most && lines.every(({ length }) => length <= 100), title);
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

const TABLES = ["fills", "fees", "lifecycle", "best_other_bids", "settlement_attempts"];

Deno.test("Python computes the short answers from written rows", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await using written = await openMarket("market_3", { accounts: 50 });
    for (const table of TABLES) {
      await written.write(`SELECT * FROM ${table}`, `${folder}/${table}.json`);
    }
    const args = [fileURLToPath(new URL("questions/recompute.py", import.meta.url)), folder];
    const { stdout, stderr } = await new Deno.Command((await findPython()).path, { args }).output();
    assertEquals(new TextDecoder().decode(stderr), "");
    const computed: Record<string, string[]> = JSON.parse(new TextDecoder().decode(stdout));
    // A mark of one's own is a picture, without a number.
    assertEquals(Object.keys(computed).map(Number), [11, 12, 13, 14, 15, 16, 17, 18, 20]);
    for (const [number, texts] of Object.entries(computed)) {
      const { answer } = questions[Number(number) - 1]!;
      for (const text of texts) assertStringIncludes(answer, text);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
