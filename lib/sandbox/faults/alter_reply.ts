import type { FaultOptions } from "./fault.ts";
import { failure, type Reply, text } from "../wire/reply.ts";

/** Shifts the offset of a page if a fault requires it. */
export function shiftedUrl(url: URL, faults: readonly FaultOptions[]): URL {
  const shifted = new URL(url);
  for (const { kind } of faults) {
    if (kind !== "duplicateRows" && kind !== "shiftedRows") continue;
    const offset = Number(shifted.searchParams.get("offset"));
    shifted.searchParams.set("offset", String(offset + (kind === "shiftedRows" ? 1 : -1)));
  }
  return shifted;
}

/** The reply that replaces handling the request; `null` if the request is handled. */
export function replacementReply(faults: readonly FaultOptions[]): Reply | null {
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

/** Alters a reply as the faults require. */
export function alteredReply(reply: Reply, faults: readonly FaultOptions[]): Reply {
  let altered = reply;
  for (const { kind } of faults) {
    if (kind === "truncated") {
      const half = Math.floor(altered.body.length / 2);
      altered = { ...altered, body: altered.body.slice(0, half) };
    } else if (kind === "unknownFields" || kind === "unknownValues") {
      if (altered.contentType !== "application/json" || altered.status >= 300) continue;
      const change = kind === "unknownFields" ? withUnknownField : withUnknownValue;
      altered = { ...altered, body: JSON.stringify(JSON.parse(altered.body, change)) };
    }
  }
  return altered;
}

/** Whether a value has named fields; maps by address have none. */
function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return !Object.keys(value).some((key) => key.startsWith("0x"));
}

function withUnknownField(_key: string, value: unknown): unknown {
  return isRecord(value) && Object.keys(value).length > 0
    ? { ...value, fieldOfTomorrow: { since: "tomorrow" } }
    : value;
}

const OPEN_ENUMS = new Set(["status", "class", "label", "reason", "type", "outcome"]);

function withUnknownValue(key: string, value: unknown): unknown {
  return OPEN_ENUMS.has(key) && typeof value === "string" ? "wordOfTomorrow" : value;
}
