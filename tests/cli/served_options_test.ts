import { HERE, nodeRows, OPEN, targetRows, testOptions, trace } from "./option_rows.ts";

const busy = Deno.listen({ hostname: "127.0.0.1", port: 0 });
Deno.test.afterAll(() => busy.close());
const BUSY = `--port ${busy.addr.port}`;

/** What a page says to a browser that takes the server for another host. */
async function askAs(url: string, host: string): Promise<string> {
  const { hostname, port } = new URL(url);
  using connection = await Deno.connect({ hostname, port: Number(port) });
  const lines = [`GET /about HTTP/1.1`, `Host: ${host}:${port}`, "Connection: close", "", ""];
  await connection.write(new TextEncoder().encode(lines.join("\r\n")));
  return (await new Response(connection.readable).text()).split("\r\n")[0]!;
}

/** Follows what a command serves: a page of an order, and whether other hosts may ask. */
function traceServed(line: string): Promise<unknown> {
  return trace(line, {
    probe: async (url, send) => {
      const response = await send(`${url}/order/${OPEN}`);
      return `${response.status} ${await response.text()} ${await askAs(url, "explorer.lan")}`;
    },
  });
}

testOptions({
  serve: {
    ...targetRows("serve", "--port 0"),
    ...nodeRows(`serve --port 0 ${HERE.replace(":9", ":7")}`),
    "--port": [`serve --port 0 ${HERE} => serve ${BUSY} ${HERE}`],
    "--host": [`serve --port 0 ${HERE} => --host 127.0.0.2`],
    "--allow-hosts": [`serve --port 0 ${HERE} => --allow-hosts explorer.lan`],
  },
  sandbox: {
    "--port": [`sandbox --port 0 --auctions 2 --virtual => sandbox ${BUSY} --auctions 2 --virtual`],
    "--seed": ["sandbox --port 0 --auctions 2 --virtual => --seed 8"],
    "--auctions": ["sandbox --port 0 --virtual --auctions 2 => --auctions 3"],
    "--virtual": ["sandbox --port 0 --auctions 2 => --virtual"],
  },
}, { traceLine: traceServed });

const client = { protocolVersion: "2025-06-18", capabilities: {} };

/** Asks a server of the Model Context Protocol for its source and an order. */
function traceAsked(line: string): Promise<unknown> {
  const method = "tools/call";
  const order = { name: "inspect_order", arguments: { order_uid: OPEN } };
  const info = { name: "test", version: "1" };
  return trace(line, {
    asked: [
      { jsonrpc: "2.0", id: 1, method: "initialize", params: { ...client, clientInfo: info } },
      { jsonrpc: "2.0", id: 2, method, params: { name: "describe_tables", arguments: {} } },
      { jsonrpc: "2.0", id: 3, method, params: order },
    ],
  });
}

testOptions({
  mcp: {
    ...targetRows("mcp", "--last 1"),
    "--recording": [`mcp --last 1 ${HERE} => mcp --recording edges`],
    ...nodeRows(`mcp --last 1 ${HERE.replace(":9", ":7")}`),
    "--last": [`mcp --last 1 ${HERE} => --last 2`],
  },
}, { traceLine: traceAsked });
