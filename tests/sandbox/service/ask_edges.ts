import type { Exchange } from "../../../lib/recordings/request_key.ts";
import { readRecording } from "../../../lib/recordings/recording.ts";
import { EdgeMapping } from "./edge_mapping.ts";
import { type Answer, type AskedSandbox, OrderDesk } from "./order_desk.ts";

const RECORDING = new URL("../../../data/recorded/edges.ndjson.gz", import.meta.url);

/** A recorded exchange, and the sandbox's answer to the same request. */
export interface AnsweredEdge {
  readonly edge: Exchange;
  readonly answer: Answer;
}

/** Sends the recorded edge cases to a sandbox. */
export async function askEdges(sandbox: AskedSandbox): Promise<AnsweredEdge[]> {
  const desk = new OrderDesk(sandbox);
  const mapping = new EdgeMapping(sandbox.description);
  const answered: AnsweredEdge[] = [];
  for (const edge of await readRecording(RECORDING)) {
    const type = edge.status === 415 ? "text/plain" : "application/json";
    const body = edge.method === "GET" ? undefined : await mapping.body(edge) ?? "";
    const answer = await desk.ask(`${edge.method} ${mapping.path(edge)}`, body, type);
    if (edge.path === "/api/v1/orders" && edge.status === 201 && answer.status === 201) {
      mapping.learn(JSON.parse(edge.responseBody), JSON.parse(answer.text));
    }
    answered.push({ edge, answer });
  }
  return answered;
}
