import { assertEquals } from "@std/assert";
import { openSandbox } from "../../../lib/sandbox/mod.ts";
import { askEdges } from "./ask_edges.ts";
import { comparable } from "./order_desk.ts";

/** Requests with different answers, by their index in the recording, and why. */
const EXCEPTIONS: ReadonlyMap<number, string> = new Map([
  [61, "a list as app data is described in simpler words"],
  [63, "the service's parser reads a hash as the number 0 first"],
  [150, "debug reports are served at the interface document's path too"],
  [156, "orders of a transaction are served at the interface document's path too"],
]);

/** The compared part of an answer: the whole text of an error, the fields of a success. */
function contentOf(contentType: string | null, body: string): string {
  if (contentType?.startsWith("text/plain")) return comparable(body);
  if (contentType?.startsWith("text/event-stream")) return "events";
  if (body === "") return "nothing";
  const value = JSON.parse(body);
  if (Array.isArray(value)) return "list";
  if (typeof value !== "object") return typeof value;
  return "errorType" in value ? rejectionText(value) : Object.keys(value).sort().join(" ");
}

/** An error without details of a deployment or build: hashes, fees, stack traces. */
function rejectionText(
  { errorType, description }: { errorType: string; description: string },
): string {
  const words = comparable(description.split("\n")[0]!).replaceAll(/0x[0-9a-f]{40,}/g, "0x…");
  return `${errorType} ${words}`;
}

Deno.test("openSandbox() answers 241 recorded requests as the service did", async () => {
  // The recorded deployment had its notifications elsewhere.
  const sandbox = await openSandbox({ seed: 3, auctions: 60, notifications: false });
  const edges = await askEdges(sandbox);
  assertEquals(edges.length, 241);
  const differences: string[] = [];
  for (const [at, { edge, answer }] of edges.entries()) {
    const expected = `${edge.status} ${contentOf(edge.contentType, edge.responseBody)}`;
    const found = `${answer.status} ${contentOf(answer.contentType, answer.text)}`;
    const isVersion = edge.path === "/api/v1/version";
    if (!isVersion && (expected !== found) !== EXCEPTIONS.has(at)) {
      differences.push(`${at} ${edge.method} ${edge.path.slice(0, 60)}: ${expected} / ${found}`);
    }
  }
  assertEquals(differences, []);
});
