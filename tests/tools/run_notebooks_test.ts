import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { openSandbox } from "orderlens/sandbox";
import { readNotebook } from "../../tools/notebooks/notebook.ts";
import { runQuietly } from "../../tools/terminal/run_quietly.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";

/** A key that no output may show. */
const KEY = "a1b2c3d4e5f6a7b8c9d0";

async function task(...args: string[]): Promise<{ success: boolean; output: string }> {
  return await run(args, "");
}

async function run(
  args: readonly string[],
  rpcUrl: string,
): Promise<{ success: boolean; output: string }> {
  return await runQuietly({
    program: Deno.execPath(),
    args: ["run", "-A", join(PROJECT_ROOT, "tools", "run_notebooks.ts"), ...args],
    variables: { NO_COLOR: "1", ORDERLENS_RPC_URL: rpcUrl },
  });
}

const OWN_DATA = join(PROJECT_ROOT, "notebooks", "06_your_own_data.ipynb");

Deno.test("the notebooks task rejects unknown arguments, in one line", async () => {
  assertEquals(await task("--upgrade"), {
    success: false,
    output: "error: There is no option --upgrade: deno task notebooks --help lists the options",
  });
  const { success, output } = await task("no_such_notebook");
  assertEquals(success, false);
  assertEquals(/^error: There is no notebook no_such_notebook: .*$/.test(output), true, output);
});

Deno.test("the notebooks task lists its options", async () => {
  const { success, output } = await task("--help");
  assertEquals(success, true);
  assertMatch(output, /^Usage: deno task notebooks \[names…\] \[options\]\n/);
});

Deno.test("the notebooks task says which notebook takes no network", async () => {
  assertEquals(await task("07", "--network", "xdai"), {
    success: false,
    output: "error: 07_place_and_track.ipynb has no parameter source: " +
      "it has seed, auctions, slippageBps",
  });
});

Deno.test("the notebooks task executes copies on a live deployment over HTTP", async () => {
  const sandbox = await openSandbox({ seed: 7, auctions: 12, clock: "virtual" });
  await using server = sandbox.listen({ port: 0 });
  const calls: string[] = [];
  // A node whose URL has a key, in front of the sandbox's own.
  await using node = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async (request) => {
      calls.push(new URL(request.url).pathname);
      const { headers } = request;
      const body = await request.text();
      return await fetch(new URL("/rpc", server.url), { method: "POST", headers, body });
    },
  );
  const { chainId, settlementContract } = sandbox.description;
  const out = join(PROJECT_ROOT, "build", "tests", "live");
  const committed = await Deno.readTextFile(OWN_DATA);

  const { success, output } = await run([
    ...["06", "--url", server.url, "--chain-id", `${chainId}`, "--last", "10"],
    ...["--settlement", settlementContract, "--out", out],
  ], `http://127.0.0.1:${node.addr.port}/${KEY}`);

  assert(success, output);
  assert(!output.includes(KEY));
  assertMatch(output, /Executing 06_your_own_data cell [0-9]+ of [0-9]+, request [0-9]+ \(|ok /);
  assertEquals(await Deno.readTextFile(OWN_DATA), committed);
  const { cells } = await readNotebook(join(out, "06_your_own_data.ipynb"));
  const answers = cells.map(({ outputs }) =>
    outputs.map(({ data }) => data?.["text/plain"] ?? "").join(" ")
  );
  const parameters = cells.find(({ source }) => source.includes("MarketOptions = "));
  assertStringIncludes(parameters?.source ?? "", `MarketSource = "${server.url}"`);
  assertStringIncludes(
    answers.join(" "),
    `source: ${server.url}\ndeployment: chain ${chainId}, settlement contract ${settlementContract}`,
  );
  assertStringIncludes(
    answers.at(-1) ?? "",
    `**10** of **10** auction ids had a competition (${server.url})`,
  );
  assertMatch(answers.join(" "), /tokens_of_unknown_decimals\n\s+0\b/);
  assert(calls.length > 0 && calls.every((path) => path === `/${KEY}`));
  assert(!(await Deno.readTextFile(join(out, "06_your_own_data.ipynb"))).includes(KEY));
  const page = await Deno.readTextFile(join(out, "gallery", "06_your_own_data.html"));
  assertStringIncludes(page, "Executed with other parameters");
});
