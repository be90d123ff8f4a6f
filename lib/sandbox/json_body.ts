import { Rejection, text } from "./reply.ts";

/** A number of a body with its digits as they were sent. */
export class JsonNumber {
  /** The digits. */
  readonly source: string;

  /** A number with these digits. */
  constructor(source: string) {
    this.source = source;
  }
}

/** Bytes that a body may have. */
export const BODY_LIMIT = 16 * 1024;

/**
 * Parses a body as the service does, numbers with all their digits.
 *
 * @throws {Rejection} 400 as text, where it is no JSON.
 */
export function parseBody(body: string): unknown {
  try {
    return JSON.parse(body, keepDigits);
  } catch (error) {
    throw new Rejection(
      text(`Failed to parse the request body as JSON: ${faultOf(body, error)}`, 400),
    );
  }
}

function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === "number" ? new JsonNumber(context?.source ?? String(value)) : value;
}

/** What is wrong with a text that is no JSON, in the service's words. */
export function faultOf(body: string, error: unknown): string {
  const found = /position (\d+)/.exec(error instanceof Error ? error.message : "");
  const at = found === null ? body.length : Number(found[1]);
  const isCut = at >= body.trimEnd().length;
  const before = body.slice(0, at).split("\n");
  const place = `at line ${before.length} column ${before.at(-1)!.length + (isCut ? 0 : 1)}`;
  if (isCut) return `EOF while parsing ${openPart(body)} ${place}`;
  return `${
    /^[{,]\s*$/.test(body.slice(0, at).slice(-1)) ? wordOf(body, at) : "expected value"
  } ${place}`;
}

function wordOf(body: string, at: number): string {
  return openPart(body.slice(0, at)) === "an object" ? "key must be a string" : "expected value";
}

/** What a text that ends too early was in the middle of. */
function openPart(body: string): string {
  const open: string[] = [];
  let isText = false;
  for (let at = 0; at < body.length; at++) {
    const sign = body[at]!;
    if (isText) {
      if (sign === "\\") at++;
      else if (sign === '"') isText = false;
    } else if (sign === '"') isText = true;
    else if (sign === "{" || sign === "[") open.push(sign);
    else if (sign === "}" || sign === "]") open.pop();
  }
  if (isText) return "a string";
  const innermost = open.at(-1);
  return innermost === "{" ? "an object" : innermost === "[" ? "a list" : "a value";
}
