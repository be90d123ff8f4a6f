import { assertEquals, assertStringIncludes } from "@std/assert";
import { connect } from "orderlens";
import { formatInspectCommand, formatSearch } from "../../lib/reports/command_text.ts";
import { reportDeployment } from "../../lib/reports/order/order_report.ts";
import { withFolder } from "../sandbox/temp_folder.ts";
import { orderlens, succeeds, whileServed } from "./memory_io.ts";

const SHIPPED = new URL("../../data/recorded/app_data__app_data.ndjson.gz", import.meta.url);
const CONTRACT = `0x${"a5".repeat(20)}`;

/** A copy of a recording at a path that a shell splits unless it is quoted. */
async function withCopy(use: (path: string) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    await Deno.mkdir(`${folder}/my books`);
    const path = `${folder}/my books/app_data.ndjson.gz`;
    await Deno.copyFile(SHIPPED, path);
    await use(path);
  });
}

Deno.test("commandOf() has every word that names the deployment of a report", () => {
  const rows = [
    [connect("mainnet"), "--network mainnet"],
    [connect("mainnet", { environment: "staging" }), "--network mainnet --env staging"],
    [
      connect("xdai", { settlementContract: CONTRACT }),
      `--network xdai --settlement ${CONTRACT}`,
    ],
    [
      connect("http://me:pw-8f3a91c2@127.0.0.1:8080/mainnet", {
        chainId: 1,
        settlementContract: CONTRACT,
      }),
      `--url http://127.0.0.1:8080/mainnet --chain-id 1 --settlement ${CONTRACT}`,
    ],
  ] as const;
  for (const [book, words] of rows) {
    assertEquals(formatInspectCommand(15, reportDeployment(book)), `orderlens inspect 15 ${words}`);
  }
  const inProcess = { network: null, environment: null, chainId: 1, settlementContract: CONTRACT };
  const sources = [
    ["sandbox://7", " --sandbox 7"],
    ["replay://my book", " --recording 'my book'"],
    ["http://orderbook.localhost", ""],
  ] as const;
  for (const [source, words] of sources) {
    assertEquals(
      formatInspectCommand(15, { ...inProcess, source }),
      `orderlens inspect 15${words}`,
    );
  }
});

Deno.test("orderlens inspect ends with a command that has the words of its source, and can be typed again", async () => {
  await withCopy(async (path) => {
    const { out } = await succeeds(["inspect", "15", "--recording", path]);
    const again = out.slice(out.indexOf("Again:\n") + 7).trim();
    assertEquals(again, `orderlens inspect 15 --recording '${path}'`);
  });
});

Deno.test("orderlens inspect advises a command that searches all networks for a missing order", async () => {
  const uid = `0x${"01".repeat(56)}`;
  const { code, out } = await orderlens(["inspect", uid, "--recording", "edges"]);
  assertEquals(code, 5);
  assertStringIncludes(out.replaceAll(/\s+/g, " "), formatSearch("UID"));
});

/** The command at the end of a served page. */
async function printedCommand(address: string): Promise<string | undefined> {
  const page = await (await fetch(address)).text();
  return /Elsewhere: <code>([^<]*)<\/code>/.exec(page)?.[1]?.replaceAll("&#39;", "'");
}

Deno.test("orderlens serve prints commands that have the words of its source", async () => {
  await withCopy(async (path) => {
    const rows = [
      [["serve", path], "auctions/15", `inspect 15 --recording '${path}'`],
      [["serve", "--recording", path], "orders", `serve --recording '${path}'`],
      [["serve", path], "orders/0x12", `serve --recording '${path}'`],
    ] as const;
    for (const [words, page, command] of rows) {
      await whileServed([...words, "--port", "0"], async (text) => {
        const [url] = /http:\/\/127\.0\.0\.1:\d+\//.exec(text)!;
        assertEquals(await printedCommand(`${url}${page}`), `orderlens ${command}`);
      });
    }
  });
});

Deno.test("orderlens serve --sandbox prints the sandbox in its commands, not an address that nothing serves", async () => {
  await whileServed("serve --sandbox 7 --port 0", async (text) => {
    const [url] = /http:\/\/127\.0\.0\.1:\d+\//.exec(text)!;
    const list = await (await fetch(`${url}auctions`)).text();
    const [, id] = /href="\/auctions\/(\d+)"/.exec(list)!;
    const command = await printedCommand(`${url}auctions/${id}`);
    assertEquals(command, `orderlens inspect ${id} --sandbox 7`);
    await succeeds(command!.split(" ").slice(1));
  });
});

Deno.test("orderlens serve --url prints its URL without credentials on every page", async () => {
  const deployment = `--chain-id 1 --settlement ${CONTRACT}`;
  const words = `serve --url http://me:pw-8f3a91c2@127.0.0.1:9/mainnet ${deployment} --port 0`;
  await whileServed(words, async (text) => {
    const [url] = /http:\/\/127\.0\.0\.1:\d+\//.exec(text)!;
    assertEquals(
      await printedCommand(`${url}orders/0x12`),
      `orderlens serve --url http://127.0.0.1:9/mainnet ${deployment}`,
    );
  });
});

Deno.test("orderlens doctor suggests options of the command line for denied access", async () => {
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    () => new Response(null, { status: 401 }),
  );
  const { out } = await orderlens(
    `doctor --url http://127.0.0.1:${server.addr.port} --chain-id 1 --settlement ${CONTRACT}`,
  );
  assertStringIncludes(out, "Fix: Set ORDERLENS_API_KEY to a partner's key");
});

Deno.test("orderlens describe quotes a folder with spaces in the command that verifies it", async () => {
  await withFolder(async (folder) => {
    const dataset = `${folder}/my data`;
    await succeeds(["export", dataset, "--recording", "market_1", "--last", "1"]);
    const { out } = await succeeds(["describe", dataset, "--json"]);
    assertEquals(JSON.parse(out).verify.at(-1), `orderlens verify '${dataset}'`);
  });
});
