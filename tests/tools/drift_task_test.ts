import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { PROJECT_ROOT } from "../../tools/project_root.ts";
import { findCreationDate, readFolderArguments } from "../../tools/conformance/folder_arguments.ts";
import { runQuietly } from "../../tools/terminal/run_quietly.ts";

/** Runs a task over a folder that has one app data document and one trade. */
async function outputOf(task: "drift" | "check_recorded", ...args: string[]): Promise<string> {
  const folder = await Deno.makeTempDir();
  try {
    const list = [["app_data", "a.json"], ["trade", "t.json"]].map(([kind, file]) => {
      return { file, pointer: "", kind, complete: true };
    });
    const document = { version: "1.1.0", metadata: { quote: { slippageBips: [5] } } };
    const trade = {
      blockNumber: 1,
      logIndex: 2,
      orderUid: `0x${"ab".repeat(56)}`,
      owner: `0x${"02".repeat(20)}`,
      sellToken: `0x${"aa".repeat(20)}`,
      buyToken: `0x${"bb".repeat(20)}`,
      sellAmount: "1",
      sellAmountBeforeFees: "1",
      buyAmount: "1",
      txHash: null,
    };
    await Deno.writeTextFile(`${folder}/bodies.json`, JSON.stringify({ bodies: list }));
    await Deno.writeTextFile(`${folder}/a.json`, JSON.stringify(document));
    await Deno.writeTextFile(`${folder}/t.json`, JSON.stringify(trade));
    const { output } = await runQuietly({
      program: Deno.execPath(),
      args: [
        "run",
        "-A",
        "--no-check",
        join(PROJECT_ROOT, "tools", `${task}.ts`),
        folder,
        ...args,
      ],
      variables: { NO_COLOR: "1" },
    });
    return output;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("drift task prints unreadable members, and fields that bodies of a day lack", async () => {
  const output = await outputOf("drift", "--sent-at", "2026-11-01");
  assertStringIncludes(output, "unreadable  app_data metadata.quote.slippageBips: 1 ×");
  const missing = "missing  trade executedProtocolFees, sent since 2024-10-01: 1 ×";
  assertStringIncludes(output, missing);
  assertStringIncludes(output, "1 unreadable members, 1 missing fields");
  assert(!(await outputOf("drift")).includes("missing  trade"));
});

Deno.test("check-recorded task counts unreadable members and missing fields as drift", async () => {
  const output = await outputOf("check_recorded", "--sent-at", "2026-11-01");
  assertStringIncludes(output, "unreadable app_data metadata.quote.slippageBips: 1 ×");
  assertStringIncludes(output, "missing trade executedProtocolFees, sent since 2024-10-01: 1 ×");
});

Deno.test("readFolderArguments() takes one folder and a date, and explains others", () => {
  const read = (...args: string[]) => {
    const read = readFolderArguments(args);
    return read instanceof Error ? read.message : read === "help" ? read : String(read.sentAt);
  };
  assertEquals(read("x", "--sent-at", "2026-03-04"), "2026-03-04T00:00:00Z");
  assertEquals(read("x"), "undefined");
  assertEquals(read("-h"), "help");
  assertEquals(read(), "Name the folder of recordings");
  assertEquals(read("x", "y"), "Name one folder, not also y");
  assertEquals(
    read("x", "--sent-at", "20"),
    "--sent-at 20 is no date: pass one such as 2026-03-04",
  );
});

Deno.test("findCreationDate() reads the order in a body", () => {
  const creationDate = "2024-03-01T10:00:00.5Z";
  const dates = [{ creationDate }, { order: { creationDate } }, { creationDate: "x" }, [], null];
  assertEquals(dates.map((body) => findCreationDate(body)?.toString()), [
    creationDate,
    creationDate,
    undefined,
    undefined,
    undefined,
  ]);
});
