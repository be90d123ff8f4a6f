import type { FaultOptions } from "./fault.ts";
import { failure, type Reply, text } from "../wire/reply.ts";

/** Asks for another page than was asked for, where a fault says so. */
export function spoiledUrl(url: URL, faults: readonly FaultOptions[]): URL {
  const spoiled = new URL(url);
  for (const { kind } of faults) {
    if (kind !== "duplicateRows" && kind !== "shiftedRows") continue;
    const offset = Number(spoiled.searchParams.get("offset"));
    spoiled.searchParams.set("offset", String(offset + (kind === "shiftedRows" ? 1 : -1)));
  }
  return spoiled;
}

/** What is answered in place of a request's handling; `null` where it is handled. */
export function replacedReply(faults: readonly FaultOptions[]): Reply | null {
  for (const { kind, retryAfterSec } of faults) {
    switch (kind) {
      case "rateLimited":
        return {
          ...text("Too many requests", 429),
          ...(retryAfterSec === undefined
            ? {}
            : { headers: { "retry-after": String(retryAfterSec) } }),
        };
      case "serverError":
        return failure(500, "InternalServerError", "");
      case "html":
        return {
          status: 503,
          contentType: "text/html",
          body: "<html><head><title>503 Service Temporarily Unavailable</title></head></html>",
        };
      case "missingCompetition":
        return failure(404, "NotFound", "solver competition not found");
      default:
        break;
    }
  }
  return null;
}

/** What a fault makes of a good answer. */
export function spoiledReply(reply: Reply, faults: readonly FaultOptions[]): Reply {
  let spoiled = reply;
  for (const { kind } of faults) {
    if (kind === "truncated") {
      const half = Math.floor(spoiled.body.length / 2);
      spoiled = { ...spoiled, body: spoiled.body.slice(0, half) };
    } else if (kind === "unknownFields" || kind === "unknownValues") {
      if (spoiled.contentType !== "application/json" || spoiled.status >= 300) continue;
      const change = kind === "unknownFields" ? withNewField : withNewWords;
      spoiled = { ...spoiled, body: JSON.stringify(JSON.parse(spoiled.body, change)) };
    }
  }
  return spoiled;
}

/** Maps by address have no names that a field could be new among. */
function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return !Object.keys(value).some((key) => key.startsWith("0x"));
}

function withNewField(_key: string, value: unknown): unknown {
  return isRecord(value) && Object.keys(value).length > 0
    ? { ...value, fieldOfTomorrow: { since: "tomorrow" } }
    : value;
}

const OPEN_SETS = new Set(["status", "class", "label", "reason", "type", "outcome"]);

function withNewWords(key: string, value: unknown): unknown {
  return OPEN_SETS.has(key) && typeof value === "string" ? "wordOfTomorrow" : value;
}
