import {
  type CallToolResult,
  fromJsonSchema,
  McpServer,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { InputError, OrderlensError } from "../../errors/mod.ts";
import { hideSecrets } from "../../errors/secrets.ts";
import { VERSION } from "../../http/transport.ts";
import type { MarketOptions, MarketSource } from "../../market/mod.ts";
import { isNetworkName } from "../../networks/explorer_url.ts";
import { reportJson } from "../../reports/page/page_content.ts";
import { formatAdvice } from "../arguments/format_advice.ts";
import type { Args } from "../arguments/command_line.ts";
import {
  isLive,
  openBook,
  readRpcUrl,
  readTarget,
  SANDBOX_AUCTIONS,
  TIMEOUTS,
} from "../deployment.ts";
import { EXIT, type ExitCode, type Io } from "../terminal/io.ts";
import type { Session } from "../terminal/session.ts";
import { type Input, inspectOrder, listOrders, type Source, TOOLS } from "./mcp_tools.ts";

const DEFAULT_SOURCE = "market_1";

/** Serves a client of the Model Context Protocol on stdin and stdout, until it closes stdin. */
export async function run(session: Session, args: Args): Promise<ExitCode> {
  const last = args.whole("--last", 1);
  const target = readTarget(args);
  const [word] = args.words;
  if (target !== null && word !== undefined) {
    throw args.error("with a folder and a deployment", "Pass only one of them");
  }
  if (word !== undefined && isNetworkName(word)) {
    throw args.error(`with a folder ${word}`, `Pass --network ${word}`);
  }
  const isOnline = target !== null && isLive(target);
  if (last !== undefined && !isOnline) {
    throw args.error("with --last: it applies to live deployments only", "Leave it out");
  }
  const node = await readRpcUrl(session, args, { isLive: isOnline });
  const { promise: inputEnd, resolve, reject } = Promise.withResolvers<void>();
  let opening: Promise<Source> | undefined;
  // Loading is slow, so the client gets its first response before; a source that fails ends the server.
  const open = () => {
    opening ??= openSource(session, args, {
      ...last !== undefined && { last },
      ...node !== undefined && { node },
    });
    opening.catch(reject);
    return opening;
  };
  const { stdin, stdout } = createStreams(session.io);
  stdin.once("close", resolve);
  const served = serveStdio(() => createServer(open, isOnline), {
    transport: new StdioServerTransport(stdin, stdout),
    onerror: (error) => session.detail(error.message),
  });
  await Promise.race([inputEnd, session.ended()]).finally(() => served.close());
  return session.signal.aborted ? EXIT.interrupted : EXIT.done;
}

async function openSource(session: Session, args: Args, options: MarketOptions): Promise<Source> {
  const target = readTarget(args);
  const { openMarket } = await import("../../market/mod.ts");
  const { createSqlQueries } = await import("../../explorer/sql_queries.ts");
  const { openSource: explore } = await import("../../explorer/explorer_source.ts");
  const source = target === null
    ? args.words[0] ?? DEFAULT_SOURCE
    : target.kind === "sandbox"
    ? await openVirtualSandbox(target.seed)
    : await openBook(session, args, target, TIMEOUTS);
  const { signal } = session;
  const market = await openMarket(source, { ...options, signal });
  const queries = createSqlQueries(explore(market.book), () => Promise.resolve(market), {
    ending: signal,
  });
  return { market, queries };
}

/** Opens a sandbox itself, which unlike its order book has facts such as decimals. */
async function openVirtualSandbox(seed: number): Promise<MarketSource> {
  const { openSandbox } = await import("../../sandbox/mod.ts");
  return await openSandbox({ seed, auctions: SANDBOX_AUCTIONS, clock: "virtual" });
}

/** Adapts the streams of a session to the transport. */
function createStreams({ readPieces, out }: Io) {
  const { Readable, Writable } = process.getBuiltinModule("node:stream");
  const stdout = new Writable({
    decodeStrings: false,
    write(text, _, done) {
      out.write(String(text));
      done();
    },
  });
  return { stdin: Readable.from(readPieces(), { objectMode: false }), stdout };
}

/** Creates the read-only server of a source. */
function createServer(open: () => Promise<Source>, isOnline: boolean): McpServer {
  const server = new McpServer({ name: "orderlens", version: VERSION }, {
    capabilities: { tools: {}, resources: {} },
    instructions: "Explains orders and auctions of batch auctions (CoW Protocol), and changes " +
      "nothing. describe_tables says what it reads.",
  });
  server.server.oninitialized = () => void open().catch(() => {});
  for (const { name, description, properties, required = [], answer, run } of TOOLS) {
    const inputSchema = fromJsonSchema<Input>({
      type: "object",
      properties,
      required: [...required],
      additionalProperties: false,
    });
    const outputSchema = fromJsonSchema<Record<string, unknown>>(answer);
    const annotations = {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: isOnline,
    };
    server.registerTool(
      name,
      { description, inputSchema, outputSchema, annotations },
      async (input, { mcpReq: { signal } }) => {
        try {
          return toToolResult(await run(await open(), input, signal));
        } catch (error) {
          return { isError: true, content: [{ type: "text", text: formatError(error) }] };
        }
      },
    );
  }
  registerOrders(server, open);
  return server;
}

const JSON_TYPE = "application/json";

/** Registers a resource for each order: its report, as `inspect_order` gives it. */
function registerOrders(server: McpServer, open: () => Promise<Source>): void {
  const toUri = (uid: string) => `orderlens://order/${uid}`;
  const template = new ResourceTemplate("orderlens://order/{uid}", {
    list: async () => ({
      resources: (await listOrders(await open())).map((uid) => ({
        uri: toUri(uid),
        name: `Order ${uid}`,
        mimeType: JSON_TYPE,
      })),
    }),
  });
  const description = "The report of one order, by its UID: 0x and 112 hex digits";
  server.registerResource(
    "order",
    template,
    { title: "Order", description, mimeType: JSON_TYPE },
    async ({ href: uri }, { uid }) => {
      try {
        const result = toToolResult(await inspectOrder(await open(), `${uid}`));
        const text = JSON.stringify(result.structuredContent);
        return { contents: [{ uri, mimeType: JSON_TYPE, text }] };
      } catch (error) {
        throw new Error(formatError(error));
      }
    },
  );
}

/** Converts a result to JSON of bounded size. */
function toToolResult(result: object): CallToolResult {
  const structuredContent = boundResult(JSON.parse(reportJson(result, 0)));
  return {
    structuredContent,
    content: [{ type: "text", text: JSON.stringify(structuredContent) }],
  };
}

function formatError(error: unknown): string {
  if (error instanceof OrderlensError) return formatAdvice(error.message);
  const message = error instanceof Error ? error.message : String(error);
  return hideSecrets(`Cannot answer: ${message}\nFix: Retry, or request less`);
}

/** Maximum characters of a result: about 20,000 tokens of a language model. */
const MAX_CHARS = 60_000;
/** Maximum characters of one text; longer ones are documents or calldata, never amounts. */
const MAX_TEXT_CHARS = 4_000;
/** Objects with more properties are cut like lists; the widest table has fewer columns. */
const MAX_PROPERTIES = 200;

/** Numbers of items to keep of each list; the first that makes the result small enough is used. */
const ITEM_LIMITS = [1_000, 500, 250, 120, 60, 30, 15, 8, 4, 2, 1];

/**
 * Limits the size of a result: lists keep their first items and long texts their start, and `cut`
 * names those that were shortened.
 *
 * @throws {InputError} If one item is too large.
 */
function boundResult(result: Readonly<Record<string, unknown>>): Record<string, unknown> {
  for (const limit of ITEM_LIMITS) {
    const cuts = new Map<string, string>();
    const shortened = truncateValue(result, { limit, cuts, path: "" });
    if (JSON.stringify(shortened).length > MAX_CHARS) continue;
    const cut = [result.cut ?? [], Array.from(cuts, ([path, text]) => `${path}: ${text}`)].flat();
    return { ...Object(shortened), ...cut.length > 0 && { cut } };
  }
  throw new InputError(`Cannot show the result: one item has more than ${MAX_CHARS} characters`, {
    remedy: "Request less, such as fewer columns",
  });
}

function truncateValue(
  value: unknown,
  { limit, cuts, path }: {
    readonly limit: number;
    readonly cuts: Map<string, string>;
    readonly path: string;
  },
): unknown {
  if (typeof value === "string" && value.length > MAX_TEXT_CHARS) {
    cuts.set(path, `the first ${MAX_TEXT_CHARS} of ${value.length} characters`);
    return value.slice(0, MAX_TEXT_CHARS);
  }
  if (typeof value !== "object" || value === null) return value;
  const isList = Array.isArray(value);
  const entries = Object.entries(value);
  // An object with many names is a list too, such as prices by token.
  const first = isList || entries.length > MAX_PROPERTIES ? entries.slice(0, limit) : entries;
  if (first.length < entries.length) {
    cuts.set(path, `the first ${first.length} of ${entries.length}`);
  }
  const items = first.map(([name, item]) => {
    const inside = isList ? `${path}[]` : path === "" ? name : `${path}.${name}`;
    return [name, truncateValue(item, { limit, cuts, path: inside })] as const;
  });
  return isList ? items.map(([, item]) => item) : Object.fromEntries(items);
}
