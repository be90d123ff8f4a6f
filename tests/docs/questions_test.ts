import { assert, assertEquals } from "@std/assert";
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

const ROOT = new URL("../../", import.meta.url);
/** What the page promises. */
const MOST_LINES = 15;
/** Printed after each answer. */
const SEPARATOR = "\f";

const page = await Deno.readTextFile(new URL("docs/questions.md", ROOT));
const [, beginning = ""] = page.match(/```ts\n([^]*?)```/) ?? [];
const questions = page.split(/^## (?=\d+\. )/m).slice(1).map((text) => {
  const match = text.match(/^\d+\. (.*)\n[^]*```ts ignore\n([^]*?)```\n\n```text\n([^]*?)```/);
  const [, title = "", program = "", answer = ""] = match ?? [];
  return { title, program, answer: answer.trim() };
});
const market = await readMarket();

Deno.test("the page of questions has ten, each answered in at most 15 lines", () => {
  assertEquals(questions.length, 10);
  for (const { title, program, answer } of questions) {
    assert(answer !== "", title);
    const lines = program.trim().split("\n");
    assert(lines.length <= MOST_LINES && lines.every(({ length }) => length <= 100), title);
  }
});

Deno.test("every question compiles after the beginning and prints its answer", async () => {
  const blocks = questions.map(({ program }) =>
    `{\n${program}}\nconsole.log(${JSON.stringify(SEPARATOR)});\n`
  );
  const folder = new URL("build/tests/questions/", ROOT);
  await Deno.mkdir(folder, { recursive: true });
  // The same file each time: Deno remembers that its types were checked.
  const file = new URL("questions.ts", folder).pathname;
  await Deno.writeTextFile(file, beginning + blocks.join(""));
  const permissions = ["--allow-read", "--allow-ffi", "--allow-sys", "--allow-env"];
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--check", "--quiet", ...permissions, file],
    cwd: ROOT.pathname,
  }).output();
  assertEquals(new TextDecoder().decode(stderr), "");
  const printed = new TextDecoder().decode(stdout).split(SEPARATOR).map((text) => text.trim());
  assertEquals(printed, [...questions.map(({ answer }) => answer), ""]);
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
