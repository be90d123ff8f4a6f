/** The text in place of a secret. */
export const HIDDEN = "[hidden]";

/** Anything shorter occurs in too many texts by chance, so it is not registered. */
const MIN_SECRET_CHARS = 4;

/** A shorter secret is hidden only as a whole word. */
const MIN_CHARS_IN_WORDS = 8;

/** Number of secrets that are remembered, the most recently used ones. */
const MAX_SECRETS = 1000;

/** Values nested deeper are hidden instead of searched. */
const MAX_DEPTH = 100;

/** Secrets by their text, the most recently used one last. */
const secrets = new Map<string, Secret>();

/**
 * Registers a key, a password or a token that no error, recording or cache may show from now on.
 *
 * Secrets are registered for the whole process, not per transport: errors about a response are also
 * built in decoders, which know no transport, and one list that every error checks cannot be forgotten
 * in any of them. The price is that a secret is also hidden where it occurs by chance in an error
 * about another transport. To bound memory in a process that uses many people's keys, the 1,000
 * most recently used secrets are remembered.
 *
 * A secret of fewer than 4 characters is not registered, since it would match everywhere; one of 4
 * to 7 characters is hidden as a whole word, not within a longer word or number.
 */
export function registerSecret(secret: string): void {
  if (secret.length < MIN_SECRET_CHARS) return;
  const entry = secrets.get(secret) ?? new Secret(secret);
  secrets.delete(secret);
  secrets.set(secret, entry);
  const [oldest] = secrets.keys();
  if (secrets.size > MAX_SECRETS && oldest !== undefined) secrets.delete(oldest);
}

/** Pattern before a secret that is a whole word: no letter or digit, or the end of an escape. */
const BEFORE_WORD = String.raw`(?:(?<![\p{L}\p{N}])|(?<=%[0-9a-f]{2}|\\u[0-9a-f]{4}|\\[bfnrt]))`;

/** A secret with the patterns that find it. */
class Secret {
  readonly #text: string;
  readonly #base64: string;
  /** Pattern that finds it as it is, and in base64. */
  readonly plain: RegExp;
  #escaped: RegExp | undefined;

  constructor(text: string) {
    const bytes = new TextEncoder().encode(text);
    this.#text = text;
    this.#base64 = escapePattern(
      btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")),
    );
    this.plain = this.#compile(escapePattern(text));
  }

  /** Slower pattern that also finds it where any of its characters are percent-encoded or escaped. */
  get escaped(): RegExp {
    // Backslashes together: one by one, each could be the escape of the next.
    const parts = this.#text.match(/\\+|[^\\]/gu) ?? [];
    return this.#escaped ??= this.#compile(parts.map(buildPattern).join(""));
  }

  #compile(pattern: string): RegExp {
    const alternatives = `(?:${pattern}|${this.#base64})`;
    const isLong = this.#text.length >= MIN_CHARS_IN_WORDS;
    return new RegExp(
      isLong ? alternatives : `${BEFORE_WORD}${alternatives}(?![\\p{L}\\p{N}])`,
      "giu",
    );
  }
}

/** Builds the pattern of a character, or of several backslashes: as it is, percent-encoded, escaped as in JSON. */
function buildPattern(part: string): string {
  // No encoder changes these; a pattern of few alternatives is compiled several times as fast.
  if (/^[\w.~-]$/.test(part)) return escapePattern(part);
  const bytes = new TextEncoder().encode(part);
  const percent = Array.from(bytes, (byte) => `%(?:25){0,3}${toHexDigits(byte, 2)}`).join("");
  const units = part.split("").map((unit) => toHexDigits(unit.charCodeAt(0), 4));
  const escaped = units.map((digits) => String.raw`\\{1,7}u${digits}`).join("");
  const plain = part.startsWith("\\")
    ? String.raw`\\{${part.length},${8 * part.length}}`
    : (/["/]/.test(part) ? String.raw`\\{0,7}` : "") + escapePattern(part);
  const control = escapePattern(JSON.stringify(part).slice(1, -1));
  // The longer ones first: a percent sign begins its own encoding.
  return `(?:${[percent, escaped, control, plain].join("|")})`;
}

function toHexDigits(code: number, length: number): string {
  return code.toString(16).padStart(length, "0");
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

/**
 * Hides every registered secret in a text, in upper and lower case, also where it is percent-encoded or
 * escaped as in JSON, wholly or in part, or in base64. A secret that was cut or encoded in another
 * way is not found: hide before cutting.
 */
export function hideSecrets(text: string): string {
  const kind = /[%\\]/.test(text) ? "escaped" : "plain";
  return secrets.values().reduce(
    (redacted, secret) => redacted.replaceAll(secret[kind], HIDDEN),
    text,
  );
}

/** Values of query parameters with the name of a secret. */
const SECRET_IN_QUERY =
  /([?&][^=&#\s]*(?:key|token|secret|password|auth|signature|sig(?==)|credential)[^=&#\s]*=)([^&#\s)"]+)/gi;

/** A long part of a URL's path with a digit, as a node's key is; hashes and addresses begin with 0x. */
const KEY_IN_PATH = /(?<=:\/\/[^\s"?#]*\/)(?!0x)(?=[a-z_-]*\d)[\w-]{20,}(?![\w-])/gi;

/**
 * Hides the secrets in a text's URLs: `user:password@`, query parameters with the name of a secret,
 * and parts of a path that may be a node's key.
 */
export function redactUrls(text: string): string {
  if (!/\/\/|[?&]/.test(text)) return text;
  return text
    .replaceAll(/\/\/[^/?#\s"]*@/g, `//${HIDDEN}@`)
    .replaceAll(SECRET_IN_QUERY, `$1${HIDDEN}`)
    .replaceAll(KEY_IN_PATH, HIDDEN);
}

/** Finds the query values that {@linkcode redactUrls} hides. */
export function findQuerySecrets(path: string): string[] {
  return [...path.matchAll(SECRET_IN_QUERY)].flatMap(([, , value]) => value ?? []);
}

/**
 * Hides the secrets in all texts of a value; returns the value itself if there are none. Lists,
 * plain objects and errors are copied where needed, with their causes; other objects are left
 * unchanged.
 */
export function hideSecretsDeep<T>(value: T): T {
  return secrets.size === 0 ? value : hideAtDepth(value, 0) as T;
}

function hideAtDepth(value: unknown, depth: number): unknown {
  if (typeof value === "string") return hideSecrets(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth === MAX_DEPTH) return HIDDEN;
  const names = listSearchedNames(value);
  const entries = names.map((name) =>
    [hideSecrets(name), hideAtDepth(Reflect.get(value, name), depth + 1)] as const
  );
  const isClean = entries.every(([name, redacted], index) =>
    name === names[index] && Object.is(redacted, Reflect.get(value, name))
  );
  if (isClean) return value;
  if (Array.isArray(value)) return entries.map(([, redacted]) => redacted);
  return value instanceof Error ? copyError(value, entries) : Object.fromEntries(entries);
}

/** Lists the names of the properties to search. */
function listSearchedNames(value: object): string[] {
  if (value instanceof Error) {
    return [...new Set(["message", "stack", ...Object.getOwnPropertyNames(value)])];
  }
  const prototype = Object.getPrototypeOf(value);
  const isPlain = prototype === Object.prototype || prototype === null || Array.isArray(value);
  return isPlain ? Object.keys(value) : [];
}

/** Copies an error with other properties, keeping its class. */
function copyError(error: Error, entries: readonly (readonly [string, unknown])[]): Error {
  const copy = new Error();
  // An error whose texts are not own properties would read them from itself, not from a copy.
  if (Object.hasOwn(error, "message")) Object.setPrototypeOf(copy, Object.getPrototypeOf(error));
  else copy.name = hideSecrets(error.name);
  for (const [name, value] of entries) {
    const enumerable = Object.prototype.propertyIsEnumerable.call(error, name);
    Object.defineProperty(copy, name, { value, enumerable, configurable: true, writable: true });
  }
  return copy;
}
