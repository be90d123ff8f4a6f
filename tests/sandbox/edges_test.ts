import { assertEquals } from "@std/assert";
import { openSandbox } from "../../lib/sandbox/mod.ts";
import { type Edge, EdgeMapping } from "./edge_mapping.ts";

/** Requests that are answered otherwise, by their place in the recording, and why. */
const EXCEPTIONS: ReadonlyMap<number, string> = new Map([
  [150, "debug reports are served at the interface document's path too"],
  [156, "orders of a transaction are served at the interface document's path too"],
]);

const RECORDING = new URL("../../data/recorded/edges.ndjson.gz", import.meta.url);

async function readEdges(): Promise<Edge[]> {
  const packed = new Blob([await Deno.readFile(RECORDING)]).stream();
  const text = await new Response(packed.pipeThrough(new DecompressionStream("gzip"))).text();
  return text.trim().split("\n").map((line) => JSON.parse(line));
}

/** What sort of answer it is: its type of error, its fields, or the beginning of its text. */
function kindOf(contentType: string | null, body: string): string {
  if (body === "") return "nothing";
  if (contentType?.startsWith("text/plain")) {
    return `text: ${body.includes("@") ? "" : beginning(body)}`;
  }
  if (contentType?.startsWith("text/event-stream")) return "events";
  const value = JSON.parse(body);
  if (Array.isArray(value)) return "list";
  if (typeof value !== "object") return typeof value;
  return value.errorType ?? Object.keys(value).sort().join(" ");
}

function beginning(text: string): string {
  return text.split(":")[0]!;
}

Deno.test("openSandbox() answers 241 recorded requests as the service did", async () => {
  // The recorded deployment had its notifications elsewhere.
  const sandbox = await openSandbox({ seed: 3, auctions: 60, notifications: false });
  const mapping = new EdgeMapping(sandbox.description);
  const edges = await readEdges();
  assertEquals(edges.length, 241);
  const differences: string[] = [];
  for (const [at, edge] of edges.entries()) {
    const body = await mapping.body(edge);
    const type = edge.status === 415 ? "text/plain" : "application/json";
    const response = await sandbox.fetch(`http://sandbox${mapping.path(edge)}`, {
      method: edge.method,
      ...(edge.method === "GET" ? {} : { headers: { "content-type": type } }),
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    if (edge.path === "/api/v1/orders" && edge.status === 201 && response.status === 201) {
      mapping.learn(JSON.parse(edge.responseBody), JSON.parse(text));
    }
    const expected = `${edge.status} ${kindOf(edge.contentType, edge.responseBody)}`;
    const found = `${response.status} ${kindOf(response.headers.get("content-type"), text)}`;
    const isVersion = edge.path === "/api/v1/version";
    if (!isVersion && (expected !== found) !== EXCEPTIONS.has(at)) {
      differences.push(`${at} ${edge.method} ${edge.path.slice(0, 60)}: ${expected} / ${found}`);
    }
  }
  assertEquals(differences, []);
});
