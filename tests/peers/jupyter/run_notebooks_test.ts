import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { openSandbox } from "orderlens/sandbox";
import { readNotebook } from "../../../tools/notebooks/notebook.ts";
import { PROJECT_ROOT } from "../../../tools/project_root.ts";
import { runQuietly } from "../../../tools/terminal/run_quietly.ts";

/** A key that no output may show. */
const KEY = "a1b2c3d4e5f6a7b8c9d0";
const OWN_DATA = join(PROJECT_ROOT, "notebooks", "06_your_own_data.ipynb");

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

  const rpcUrl = `http://127.0.0.1:${node.addr.port}/${KEY}`;
  const { success, output } = await runQuietly({
    program: Deno.execPath(),
    args: [
      ...["run", "-A", join(PROJECT_ROOT, "tools", "run_notebooks.ts"), "06", "--url", server.url],
      ...["--chain-id", `${chainId}`, "--settlement", settlementContract],
      ...["--last", "10", "--out", out],
    ],
    variables: { NO_COLOR: "1", ORDERLENS_RPC_URL: rpcUrl },
  });

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
