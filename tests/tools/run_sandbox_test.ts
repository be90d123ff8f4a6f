import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { DEVELOPMENT_ACCOUNTS } from "../../lib/sandbox/mod.ts";
import { linesOf } from "../../tools/terminal/run_quietly.ts";

const PROJECT = new URL("../../", import.meta.url);

function runSandbox(args: readonly string[]): Deno.Command {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "tools/run_sandbox.ts", ...args],
    cwd: PROJECT,
    env: { NO_COLOR: "1" },
    stdout: "piped",
    stderr: "piped",
  });
}

/** What a line of the form `curl [-H header -d 'body'] address` gets. */
async function getCurl(line: string): Promise<number> {
  const url = /https?:\/\/[^\s"]+/.exec(line)![0];
  const body = /-d '([^']+)'/.exec(line)?.[1];
  const header = /-H (\S+):(\S+)/.exec(line);
  const response = await fetch(url, {
    ...(body === undefined ? {} : { method: "POST", body }),
    headers: header === null ? {} : { [header[1]!]: header[2]! },
  });
  await response.text();
  return response.status;
}

Deno.test("deno task sandbox describes its contents, and how to use it", async () => {
  await using child = runSandbox(["--port=0", "--seed", "3", "--auctions", "10"]).spawn();
  const lines: string[] = [];
  for await (const line of linesOf(child.stdout)) {
    lines.push(line.trim());
    if (line.startsWith("Stop it")) break;
  }
  const text = lines.join("\n");
  for (const { address, privateKey } of DEVELOPMENT_ACCOUNTS) {
    assertStringIncludes(text, address);
    assert(!text.includes(privateKey.slice(2)));
  }
  const curls = lines.filter((line) => line.startsWith("curl "));
  assertEquals(curls.length, 5);
  for (const line of curls) assertEquals(await getCurl(line), 200, line);
  const port = /127\.0\.0\.1:(\d+)/.exec(text)![1]!;
  const { code, stderr } = await runSandbox(["--port", port, "--auctions", "0"]).output();
  assertEquals(code, 2);
  assertMatch(new TextDecoder().decode(stderr), /Cannot listen on 127\.0\.0\.1, port \d+/);
  child.kill("SIGINT");
  await child.stderr.cancel();
});

Deno.test("deno task sandbox names an invalid argument", async () => {
  for (const words of [["--prot", "1"], ["--port", "x"], ["--port"], ["--seed", "-1"]]) {
    const { code, stderr } = await runSandbox(words).output();
    assertEquals(code, 2);
    const message = new TextDecoder().decode(stderr);
    assertStringIncludes(message, `Cannot serve a sandbox with ${words[0]}`);
  }
});

Deno.test("deno task sandbox --help names every option", async () => {
  const { code, stdout } = await runSandbox(["--help"]).output();
  assertEquals(code, 0);
  const text = new TextDecoder().decode(stdout);
  for (const option of ["--port", "--seed", "--auctions", "--virtual"]) {
    assertStringIncludes(text, option);
  }
});
