import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { run } from "../../lib/cli/mod.ts";
import { SHIPPED_FOLDER } from "../../tools/datasets/write_shipped.ts";
import { folderBytes, withCopyOf } from "../datasets/exported.ts";
import { memoryIo } from "./memory_io.ts";

const UID =
  "0x000c3cae19a3127f1713bb58e632c7f9928f2a3b64ce9947281fffb86cc515e1ba78423395063915fbf92bab6d4c769676f0f55e6b02746f";
/** An order that is open where the recording ends. */
const OPEN = "0xca5e7102…027658";

/** What a tool answered. */
interface Answer {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
}

/** A client that writes lines to a server in this process, and waits for the answer to each. */
class Client {
  readonly #input = new TransformStream<string, string>();
  readonly #writer = this.#input.writable.getWriter();
  readonly #waiting = new Map<number, (answer: Record<string, never>) => void>();
  readonly err: string[];
  readonly code: Promise<number>;
  #last = 0;

  constructor(words: string) {
    const { io, err } = memoryIo();
    this.err = err;
    this.code = run(words.split(" "), {
      ...io,
      readPieces: () => this.#input.readable,
      out: {
        ...io.out,
        write: (line) => {
          const answer = JSON.parse(line);
          assertEquals([answer.jsonrpc, line.at(-1)], ["2.0", "\n"]);
          this.#waiting.get(answer.id)?.(answer);
        },
      },
    });
  }

  async send(text: string): Promise<void> {
    await this.#writer.write(text);
  }

  async ask(method: string, params: object = {}): Promise<Record<string, never>> {
    const id = ++this.#last;
    const { promise, resolve } = Promise.withResolvers<Record<string, never>>();
    this.#waiting.set(id, resolve);
    await this.send(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return await promise;
  }

  async tell(method: string, params: object = {}): Promise<void> {
    await this.send(`${JSON.stringify({ jsonrpc: "2.0", method, params })}\n`);
  }

  async open(): Promise<void> {
    const clientInfo = { name: "test", version: "1" };
    await this.ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
    await this.tell("notifications/initialized");
  }

  async call(name: string, input: object = {}): Promise<Answer> {
    return (await this.ask("tools/call", { name, arguments: input })).result!;
  }

  async error(name: string, input: object = {}): Promise<string> {
    const { isError, content } = await this.call(name, input);
    assertEquals(isError, true);
    return content[0]!.text;
  }

  async close(): Promise<number> {
    await this.#writer.close();
    return await this.code;
  }
}

/** The data of a report, with every digit. */
function readData({ structuredContent }: Answer): Record<string, unknown> {
  return structuredContent!.data as Record<string, unknown>;
}

/** Serves while `use` asks it. */
async function withClient(words: string, use: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client(words);
  await client.open();
  await use(client);
  assertEquals([await client.close(), client.err], [0, []]);
}

Deno.test("orderlens mcp lists read-only tools, which respond like the command line", async () => {
  await withClient("mcp market_3", async (client) => {
    const { tools } = (await client.ask("tools/list")).result! as unknown as {
      tools: {
        name: string;
        annotations: Record<string, boolean>;
        outputSchema: { required: readonly string[] };
      }[];
    };
    const names = ["inspect_order", "triage_text", "find_auction", "query_sql", "describe_tables"];
    assertEquals(tools.map(({ name }) => name), names);
    for (const { annotations, outputSchema } of tools) {
      assertEquals([annotations.readOnlyHint, annotations.destructiveHint], [true, false]);
      assertEquals(outputSchema.required.includes("next"), true);
    }
    const order = await client.call("inspect_order", { order_uid: UID });
    assertEquals(JSON.parse(order.content[0]!.text), order.structuredContent);
    for (
      const spelling of [
        UID.slice(2),
        `\\x${UID.slice(2)}`,
        `${UID.slice(0, 10)}…${UID.slice(-6)}`,
        `https://barn.explorer.cow.fi/gc/orders/${UID}`,
      ]
    ) assertEquals(await client.call("inspect_order", { order_uid: spelling }), order);
    const { data, sections, next } = order.structuredContent as {
      data: { verdict: string; order: { sellAmount: string; sellToken: string } };
      sections: readonly { id: string; rows?: readonly (readonly string[])[] }[];
      next: readonly { tool: string; arguments: object }[];
    };
    const { verdict, order: terms } = data;
    const tokens = sections.find(({ id }) => id === "tokens")!.rows!;
    assertEquals(tokens.some(([, address]) => address === terms.sellToken), true);
    for (const { tool, arguments: input } of next) {
      assertEquals((await client.call(tool, input)).isError, undefined);
    }
    assertEquals(verdict, "expired_presignature_missing");
    assertMatch(terms.sellAmount, /^\d+$/);
    assertEquals([order.structuredContent!.status, order.structuredContent!.now], [
      "Expired",
      undefined,
    ]);
    const open = (await client.call("inspect_order", { order_uid: OPEN })).structuredContent!;
    assertEquals(open.status, "Open");
    assertMatch(`${open.now}`, /^As of 2026-\S+ \S+ UTC or later: It .*\. Valid until .* UTC\.$/);
    assertEquals(open.lead, "Sell 6.30482 T3 → at least 6.32910 T1");
    const triaged = await client.call("triage_text", { text: `seen ${UID}, and ${UID}` });
    assertEquals(triaged.structuredContent?.found, 1);
    const newest = await client.call("find_auction");
    assertEquals(readData(newest).auctionId, 1030);
    const auction = await client.call("find_auction", { auction_id: 1026 });
    const [transaction] = readData(auction).transactions as readonly string[];
    const same = await client.call("find_auction", { transaction });
    assertEquals(same.structuredContent, auction.structuredContent);
    const short = `${transaction!.slice(0, 10)}…${transaction!.slice(-6)}`;
    assertEquals(await client.call("find_auction", { transaction: short }), same);
    const sql = "SELECT score_won_atoms FROM leaderboard ORDER BY 1 DESC";
    const { structuredContent } = await client.call("query_sql", { query: sql, max_rows: 1 });
    assertEquals(structuredContent, {
      next: [],
      // The scores of winners in the recorded bodies, added up by solver.
      rows: [{ score_won_atoms: "973205201201253448" }],
      cut: ["rows: the first 1; there are more"],
    });
    const there = await client.call("describe_tables");
    assertEquals((there.structuredContent!.source as { auctions: number }).auctions, 103);
    const fills = await client.call("describe_tables", { table: "FILLS" });
    assertStringIncludes(fills.content[0]!.text, '"name":"surplus_atoms"');
  });
});

Deno.test("an error of a tool names the input, the reason and the fix", async () => {
  await withClient("mcp edges", async (client) => {
    for (
      const [name, input, ...texts] of [
        ["inspect_order", { order_uid: "0x12" }, '"0x12"', "Fix: Pass an order UID"],
        ["inspect_order", {}, "required property 'order_uid'"],
        ["triage_text", { text: "0x12" }, "no UID", "Fix: "],
        ["find_auction", { auction_id: 1, transaction: "0x" }, "Fix: Pass only one of them"],
        ["find_auction", { auction_id: "1" }, "auction_id must be integer"],
        ["find_auction", { transaction: "0x12" }, '"0x12"', "Fix: Pass an auction id"],
        ["query_sql", { query: "SELECT fee FROM fills" }, "LINE 1", "Fix: ", "DESCRIBE fills"],
        ["query_sql", { query: "SELECT 1", limit: 1 }, "must NOT have additional properties"],
        ["describe_tables", { table: "fils" }, '"fils"', "fills, fees"],
      ] as const
    ) {
      const text = await client.error(name, input);
      for (const part of texts) assertStringIncludes(text, part);
    }
  });
});

Deno.test("results have a bounded size, and name what was cut", async () => {
  await withClient(`mcp ${SHIPPED_FOLDER}/market_1`, async (client) => {
    const uids = "string_agg(order_uid)";
    for (
      const [columns, cut] of [
        ["*", /^rows: the first \d+ of 37$/],
        [uids, /^rows\[\]\..*: the first 4000 of \d+ characters$/],
      ] as const
    ) {
      const input = { query: `SELECT ${columns} FROM fills`, max_rows: 1_000 };
      const { content, structuredContent } = await client.call("query_sql", input);
      assert(content[0]!.text.length < 61_000);
      assertMatch((structuredContent as { cut: string[] }).cut[0]!, cut);
    }
    const wide = Array.from({ length: 18 }, (_, at) => `${uids} AS c${at}`);
    const query = `SELECT ${wide} FROM fills`;
    assertStringIncludes(await client.error("query_sql", { query }), "fewer columns");
  });
});

Deno.test("orderlens mcp survives garbage from a client", async () => {
  await withClient("mcp edges", async (client) => {
    await client.send('garbage\n{}\n[]\n[1]\nnull\n\u0000\n{"jsonrpc":"2.0","id":{}}\n\n');
    await client.send(`${"[".repeat(100_000)}\n`);
    assertEquals((await client.ask("no/such")).error!["code"], -32601);
    assertEquals((await client.ask("tools/call", { name: "nope" })).error!["code"], -32602);
    assertEquals((await client.ask("tools/call", { name: 7 })).error!["code"], -32602);
    await client.tell("notifications/cancelled", { requestId: 99 });
    const { structuredContent } = await client.call("query_sql", { query: "SELECT 1 AS a" });
    assertEquals(structuredContent, {
      next: [],
      rows: [{ a: 1 }],
    });
  });
});

Deno.test("no tool writes, whatever its input", async () => {
  await withCopyOf(`${SHIPPED_FOLDER}/market_1`, async (folder) => {
    const before = await folderBytes(folder);
    await withClient(`mcp ${folder}`, async (client) => {
      const target = `${folder}/written`;
      for (
        const query of [
          `COPY fills TO '${target}.csv'`,
          `ATTACH '${target}.db'`,
          `SELECT 1; COPY fills TO '${target}.csv'`,
          `FROM enable_logging(storage = 'file', storage_config = {'path': '${target}'})`,
          `FROM enable_profiling('json', save_location = '${target}')`,
          `FROM query('COPY fills TO ''${target}.csv''')`,
        ]
      ) {
        assertMatch(
          await client.error("query_sql", { query }),
          /^Cannot run the query.*\n?.*Fix: /s,
        );
      }
      for (
        const [name, input] of [
          ["inspect_order", { order_uid: UID, html: target }],
          ["inspect_order", { order_uid: `../${target}` }],
          ["triage_text", { text: UID, resume: target }],
          ["find_auction", { transaction: `file://${target}` }],
          ["describe_tables", { table: `${target}.csv` }],
        ] as const
      ) await client.error(name, input);
      await client.call("triage_text", { text: `--resume ${target} ${UID}` });
    });
    assertEquals(await folderBytes(folder), before);
  });
});

Deno.test("orderlens mcp names a source that it cannot open", async () => {
  const client = new Client("mcp nothere");
  await client.open();
  assertEquals(await client.code, 5);
  assertStringIncludes(client.err.join(""), "nothing has this name");
});

Deno.test("orderlens mcp has a resource for each order, with what inspect_order gives", async () => {
  await withClient("mcp market_3", async (client) => {
    const { resourceTemplates } = (await client.ask("resources/templates/list"))
      .result! as unknown as {
        resourceTemplates: readonly { uriTemplate: string }[];
      };
    assertEquals(resourceTemplates.map(({ uriTemplate }) => uriTemplate), [
      "orderlens://order/{uid}",
    ]);
    const { resources } = (await client.ask("resources/list")).result! as unknown as {
      resources: readonly { uri: string }[];
    };
    assertMatch(resources[0]!.uri, /^orderlens:\/\/order\/0x[0-9a-f]{112}$/);
    const uri = `orderlens://order/${UID}`;
    const { contents } = (await client.ask("resources/read", { uri })).result! as unknown as {
      contents: readonly { text: string }[];
    };
    const { structuredContent } = await client.call("inspect_order", { order_uid: UID });
    assertEquals(JSON.parse(contents[0]!.text), structuredContent);
    const { error } = await client.ask("resources/read", { uri: "orderlens://order/0x12" });
    assertStringIncludes(JSON.stringify(error), "2 hex digits");
  });
});
