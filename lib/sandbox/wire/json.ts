/** Maximum nesting depth. */
const MAX_DEPTH = 127;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const UNFINISHED = /-|\.|[eE][+-]?/y;
const SPACE = /[ \t\n\r]*/y;
/** Unescaped characters of a string: no quote, backslash, control character or lone surrogate. */
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
 * Parses JSON as the service's parser does: with its limits, error texts and positions, and with
 * every digit of numbers.
 *
 * Values before an error are kept, because the service reports the first problem in the text.
 */
export function readJson(text: string): JsonText {
  const reader = new JsonReader(text);
  try {
    reader.readText();
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    const position = error.isAtNext ? positionOfNext(text, error.at) : positionIn(text, error.at);
    return {
      root: reader.root,
      syntaxError: { message: `${error.message} ${position}`, path: reader.path },
    };
  }
  return { root: reader.root, syntaxError: null };
}

class ParseError extends Error {
  constructor(message: string, readonly at: number, readonly isAtNext = false) {
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

  /** Path of the current member or item. */
  get path(): string {
    return this.#names.join("").replace(/^\./, "");
  }

  readText(): void {
    this.#value((node) => this.root = node);
    this.#skipSpace();
    if (this.#at < this.#text.length) throw this.#here("trailing characters");
  }

  /** Reads a value and passes it on: lists and objects before they are filled. */
  #value(keep: (node: JsonNode) => void): void {
    this.#skipSpace();
    const start = this.#at;
    const char = this.#text[start];
    if (char === undefined) throw this.#here("EOF while parsing a value");
    if (char === "[") return this.#list(keep);
    if (char === "{") return this.#object(keep);
    if (char === '"') {
      const value = this.#string();
      return keep({ kind: "string", value, start, end: this.#at });
    }
    if (char === "-" || (char >= "0" && char <= "9")) {
      const source = this.#number();
      return keep({ kind: "number", source, start, end: this.#at });
    }
    for (const [word, value] of Object.entries(WORDS)) {
      if (char !== word[0]) continue;
      this.#word(word);
      const range = { start, end: this.#at };
      return keep(
        value === null ? { kind: "null", ...range } : { kind: "boolean", value, ...range },
      );
    }
    throw this.#here("expected value");
  }

  #word(word: string): void {
    for (const char of word) {
      const found = this.#text[this.#at];
      if (found === undefined) throw this.#here("EOF while parsing a value");
      this.#at++;
      if (found !== char) throw new ParseError("expected ident", this.#at);
    }
  }

  #list(keep: (node: JsonNode) => void): void {
    const items: JsonNode[] = [];
    const node = { kind: "list" as const, items, start: this.#at, end: this.#at };
    this.#enter();
    keep(node);
    for (let isFirst = true; !this.#closes("]", { isFirst, context: "a list" }); isFirst = false) {
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
      !this.#closes("}", { isFirst, context: "an object" });
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
    if (++this.#depth > MAX_DEPTH) throw this.#here("recursion limit exceeded");
    this.#at++;
  }

  /** Whether a list or object ends here; otherwise skips the comma. */
  #closes(end: string, { isFirst, context }: { isFirst: boolean; context: string }): boolean {
    this.#skipSpace();
    const char = this.#text[this.#at];
    if (char === undefined) throw this.#here(`EOF while parsing ${context}`);
    if (char === end) {
      this.#at++;
      return true;
    }
    if (isFirst) return false;
    if (char !== ",") throw this.#here(`expected \`,\` or \`${end}\``);
    this.#at++;
    this.#skipSpace();
    const next = this.#text[this.#at];
    if (next === undefined) throw this.#here("EOF while parsing a value");
    if (next === end) throw this.#here("trailing comma");
    return false;
  }

  #colon(): void {
    this.#skipSpace();
    const char = this.#text[this.#at];
    if (char === undefined) throw this.#here("EOF while parsing an object");
    if (char !== ":") throw this.#here("expected `:`");
    this.#at++;
  }

  #number(): string {
    const source = this.#matched(NUMBER);
    if (source === "" || /[\d.eE]/.test(this.#text[this.#at] ?? "")) {
      this.#matched(UNFINISHED);
      const isCut = this.#at === this.#text.length;
      throw this.#here(isCut ? "EOF while parsing a value" : "invalid number");
    }
    if (!Number.isFinite(Number(source))) throw new ParseError("number out of range", this.#at);
    return source;
  }

  #string(): string {
    this.#at++;
    let value = "";
    while (true) {
      value += this.#matched(PLAIN);
      const char = this.#text[this.#at++];
      if (char === '"') return value;
      if (char === undefined) throw new ParseError("EOF while parsing a string", this.#text.length);
      if (char === "\\") value += this.#escape();
      else if (char < " ") {
        throw new ParseError(
          "control character (\\u0000-\\u001F) found while parsing a string",
          this.#at,
        );
      } else throw new ParseError("invalid unicode code point", this.#at);
    }
  }

  #escape(): string {
    const char = this.#text[this.#at++];
    if (char === undefined) throw new ParseError("EOF while parsing a string", this.#text.length);
    if (char !== "u") {
      const escaped = ESCAPED[char];
      if (escaped === undefined) throw new ParseError("invalid escape", this.#at);
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
    if (digits.length < 4) throw new ParseError("EOF while parsing a string", this.#text.length);
    this.#at += 4;
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw new ParseError("invalid escape", this.#at);
    return Number.parseInt(digits, 16);
  }

  #lone(): ParseError {
    return new ParseError("lone leading surrogate in hex escape", this.#at);
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

  /** An error at the next character. */
  #here(message: string): ParseError {
    return new ParseError(message, this.#at, true);
  }
}

/** A value of a JSON text, with its position as character offsets. */
export type JsonNode =
  & { readonly start: number; readonly end: number }
  & (
    | { readonly kind: "null" }
    | { readonly kind: "boolean"; readonly value: boolean }
    | { readonly kind: "number"; readonly source: string }
    | { readonly kind: "string"; readonly value: string }
    | { readonly kind: "list"; readonly items: readonly JsonNode[] }
    | { readonly kind: "object"; readonly members: readonly JsonMember[] }
  );

/** A member of an object; names may repeat. */
interface JsonMember {
  /** Its name. */
  readonly name: string;
  /** Where its name ends. */
  readonly nameEnd: number;
  /** Its value. */
  readonly value: JsonNode;
}

/** The error in a text that is not JSON. */
interface JsonSyntaxError {
  /** Message of the service's parser, with line and column. */
  readonly message: string;
  /** Member or item with the error, such as `a.b[0]`; empty for the whole text. */
  readonly path: string;
}

/** A JSON text, parsed up to its first error. */
interface JsonText {
  /** The value, with lists and objects up to the error; `null` if there is none. */
  readonly root: JsonNode | null;
  /** The error; `null` if the text is valid. */
  readonly syntaxError: JsonSyntaxError | null;
}

/** The member with this name; the first one if it repeats. */
export function memberOf(node: JsonNode, name: string): JsonNode | undefined {
  if (node.kind !== "object") return undefined;
  return node.members.find((member) => member.name === name)?.value;
}

/** Offset at which the parser reports a value: after scalars, before lists and objects. */
export function reportedOffset(node: JsonNode): number {
  return node.kind === "list" || node.kind === "object" ? node.start : node.end;
}

/** A position as text: lines from 1, columns in bytes. */
export function positionIn(text: string, at: number): string {
  const lines = text.slice(0, at).split("\n");
  return `at line ${lines.length} column ${bytesIn(lines.at(-1)!)}`;
}

/** The position of the next byte, if there is one. */
export function positionOfNext(text: string, at: number): string {
  const lines = text.slice(0, at).split("\n");
  const past = at < text.length ? 1 : 0;
  return `at line ${lines.length} column ${bytesIn(lines.at(-1)!) + past}`;
}

function bytesIn(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** A value is not of the expected kind. */
export class Mismatch extends Error {
  /** Takes the service's error text. */
  constructor(message: string) {
    super(message);
    this.name = "Mismatch";
  }
}

/** An enum field is not a string, which the service reports as invalid JSON. */
export class NotAString extends Mismatch {}

/** The result of `read`; `null` on a mismatch. */
export function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof Mismatch) return null;
    throw error;
  }
}
