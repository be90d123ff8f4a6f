import {
  type JsonMember,
  type JsonNode,
  type JsonText,
  placeIn,
  placeOfNext,
} from "./json_node.ts";

/** How deep lists and objects may stand in each other. */
const DEEPEST = 127;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const UNFINISHED = /-|\.|[eE][+-]?/y;
const SPACE = /[ \t\n\r]*/y;
/** What stands for itself in a string: no quote, backslash, control sign or half of a pair. */
const PLAIN = /(?:[^"\\\p{Cc}\p{Cs}]|[\x7f-\x9f])*/uy;
const WORDS: Readonly<Record<string, boolean | null>> = { null: null, true: true, false: false };
const ESCAPED: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/**
 * Reads JSON as the service's parser does: with its limits, its error texts and positions, and with
 * every digit of numbers.
 *
 * What stands before a fault is kept, because the service complains of whatever comes first.
 */
export function readJson(text: string): JsonText {
  const reader = new JsonReader(text);
  try {
    reader.readText();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const place = error.isOfNext ? placeOfNext(text, error.at) : placeIn(text, error.at);
    return {
      root: reader.root,
      fault: { message: `${error.message} ${place}`, path: reader.path },
    };
  }
  return { root: reader.root, fault: null };
}

class Fault extends Error {
  constructor(message: string, readonly at: number, readonly isOfNext = false) {
    super(message);
  }
}

class JsonReader {
  root: JsonNode | null = null;
  readonly #text: string;
  readonly #names: string[] = [];
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Where the reader is, in names. */
  get path(): string {
    return this.#names.join("").replace(/^\./, "");
  }

  readText(): void {
    this.#value((node) => this.root = node);
    this.#skipSpace();
    if (this.#at < this.#text.length) throw this.#here("trailing characters");
  }

  /** Reads a value, and hands it over: lists and objects before they are filled. */
  #value(keep: (node: JsonNode) => void): void {
    this.#skipSpace();
    const start = this.#at;
    const sign = this.#text[start];
    if (sign === undefined) throw this.#here("EOF while parsing a value");
    if (sign === "[") return this.#list(keep);
    if (sign === "{") return this.#object(keep);
    if (sign === '"') {
      const value = this.#string();
      return keep({ kind: "string", value, start, end: this.#at });
    }
    if (sign === "-" || (sign >= "0" && sign <= "9")) {
      const source = this.#number();
      return keep({ kind: "number", source, start, end: this.#at });
    }
    for (const [word, value] of Object.entries(WORDS)) {
      if (sign !== word[0]) continue;
      this.#word(word);
      const place = { start, end: this.#at };
      return keep(
        value === null ? { kind: "null", ...place } : { kind: "boolean", value, ...place },
      );
    }
    throw this.#here("expected value");
  }

  #word(word: string): void {
    for (const sign of word) {
      const found = this.#text[this.#at];
      if (found === undefined) throw this.#here("EOF while parsing a value");
      this.#at++;
      if (found !== sign) throw new Fault("expected ident", this.#at);
    }
  }

  #list(keep: (node: JsonNode) => void): void {
    const items: JsonNode[] = [];
    const node = { kind: "list" as const, items, start: this.#at, end: this.#at };
    this.#enter();
    keep(node);
    for (let isFirst = true; !this.#closes("]", { isFirst, within: "a list" }); isFirst = false) {
      this.#names.push(`[${items.length}]`);
      this.#value((item) => items.push(item));
      this.#names.pop();
    }
    node.end = this.#at;
    this.#depth--;
  }

  #object(keep: (node: JsonNode) => void): void {
    const members: JsonMember[] = [];
    const node = { kind: "object" as const, members, start: this.#at, end: this.#at };
    this.#enter();
    keep(node);
    for (
      let isFirst = true;
      !this.#closes("}", { isFirst, within: "an object" });
      isFirst = false
    ) {
      if (this.#text[this.#at] !== '"') throw this.#here("key must be a string");
      const name = this.#string();
      const nameEnd = this.#at;
      this.#names.push(`.${name}`);
      this.#colon();
      this.#value((value) => members.push({ name, nameEnd, value }));
      this.#names.pop();
    }
    node.end = this.#at;
    this.#depth--;
  }

  #enter(): void {
    if (++this.#depth > DEEPEST) throw this.#here("recursion limit exceeded");
    this.#at++;
  }

  /** Whether a list or object ends here; a comma is left behind where it does not. */
  #closes(end: string, { isFirst, within }: { isFirst: boolean; within: string }): boolean {
    this.#skipSpace();
    const sign = this.#text[this.#at];
    if (sign === undefined) throw this.#here(`EOF while parsing ${within}`);
    if (sign === end) {
      this.#at++;
      return true;
    }
    if (isFirst) return false;
    if (sign !== ",") throw this.#here(`expected \`,\` or \`${end}\``);
    this.#at++;
    this.#skipSpace();
    const next = this.#text[this.#at];
    if (next === undefined) throw this.#here("EOF while parsing a value");
    if (next === end) throw this.#here("trailing comma");
    return false;
  }

  #colon(): void {
    this.#skipSpace();
    const sign = this.#text[this.#at];
    if (sign === undefined) throw this.#here("EOF while parsing an object");
    if (sign !== ":") throw this.#here("expected `:`");
    this.#at++;
  }

  #number(): string {
    const source = this.#matched(NUMBER);
    if (source === "" || /[\d.eE]/.test(this.#text[this.#at] ?? "")) {
      this.#matched(UNFINISHED);
      const isCut = this.#at === this.#text.length;
      throw this.#here(isCut ? "EOF while parsing a value" : "invalid number");
    }
    if (!Number.isFinite(Number(source))) throw new Fault("number out of range", this.#at);
    return source;
  }

  #string(): string {
    this.#at++;
    let value = "";
    while (true) {
      value += this.#matched(PLAIN);
      const sign = this.#text[this.#at++];
      if (sign === '"') return value;
      if (sign === undefined) throw new Fault("EOF while parsing a string", this.#text.length);
      if (sign === "\\") value += this.#escape();
      else if (sign < " ") {
        throw new Fault(
          "control character (\\u0000-\\u001F) found while parsing a string",
          this.#at,
        );
      } else throw new Fault("invalid unicode code point", this.#at);
    }
  }

  #escape(): string {
    const sign = this.#text[this.#at++];
    if (sign === undefined) throw new Fault("EOF while parsing a string", this.#text.length);
    if (sign !== "u") {
      const escaped = ESCAPED[sign];
      if (escaped === undefined) throw new Fault("invalid escape", this.#at);
      return escaped;
    }
    const lead = this.#unit();
    if (lead >= 0xdc00 && lead <= 0xdfff) throw this.#lone();
    if (lead < 0xd800 || lead > 0xdbff) return String.fromCharCode(lead);
    if (!this.#text.startsWith("\\u", this.#at)) {
      throw this.#here("unexpected end of hex escape");
    }
    this.#at += 2;
    const trail = this.#unit();
    if (trail < 0xdc00 || trail > 0xdfff) throw this.#lone();
    return String.fromCharCode(lead, trail);
  }

  #unit(): number {
    const digits = this.#text.slice(this.#at, this.#at + 4);
    if (digits.length < 4) throw new Fault("EOF while parsing a string", this.#text.length);
    this.#at += 4;
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw new Fault("invalid escape", this.#at);
    return Number.parseInt(digits, 16);
  }

  #lone(): Fault {
    return new Fault("lone leading surrogate in hex escape", this.#at);
  }

  #skipSpace(): void {
    this.#matched(SPACE);
  }

  #matched(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }

  /** A fault of the character that comes next. */
  #here(message: string): Fault {
    return new Fault(message, this.#at, true);
  }
}
