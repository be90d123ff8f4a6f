import { connect, type OrderBook } from "orderlens";
import type { Replay } from "orderlens/recordings";

/** A book of a recording whose answers are altered on their way: path and parsed body in. */
export function alteredBook(
  recording: Replay,
  // deno-lint-ignore no-explicit-any -- any field of an answer may be altered
  alter: (path: string, body: any) => void,
): OrderBook {
  return connect({
    baseUrl: recording.baseUrl,
    deployment: recording.deployment,
    async send(request) {
      const response = await recording.send(request);
      if (response.status !== 200) return response;
      const body = JSON.parse(response.body);
      alter(request.path, body);
      return { ...response, body: JSON.stringify(body) };
    },
  });
}
