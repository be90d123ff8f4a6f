/** Headers that reveal nothing about the sender. */
const OPEN_HEADERS: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "cache-control",
  "connection",
  "content-type",
  "date",
  "host",
  "if-modified-since",
  "origin",
  "pragma",
  "user-agent",
]);

/** Names of headers whose value is a secret even if it is short. */
const NAMED_SECRET = /key|token|secret|password|auth|signature|credential/;

/** A shorter word of another header is too common to be hidden. */
const SHORTEST_WORD_CHARS = 8;

/**
 * The secrets in a transport's headers: every value except those of public headers, each of its
 * words of at least 8 characters, and the name and the password of basic credentials. In headers
 * with a secret's name, shorter words too.
 */
export function secretsOf(headers: Headers): string[] {
  const secrets = new Set<string>();
  for (const [name, value] of headers) {
    if (OPEN_HEADERS.has(name)) continue;
    const [scheme, ...rest] = value.split(" ");
    const credentials = rest.join(" ").trim();
    const isNamed = NAMED_SECRET.test(name);
    for (const word of [value, ...value.split(/[\s,;=]+/)]) {
      if (word.length >= SHORTEST_WORD_CHARS) secrets.add(word);
    }
    if (isNamed) secrets.add(credentials === "" ? value : credentials);
    if (scheme?.toLowerCase() === "basic") {
      for (const part of basicParts(credentials)) secrets.add(part);
    }
  }
  return [...secrets];
}

/** Name and password together, the password, and the name if it is or resembles a secret. */
function basicParts(credentials: string): string[] {
  let pair: string;
  try {
    pair = new TextDecoder().decode(
      Uint8Array.from(atob(credentials), (character) => character.charCodeAt(0)),
    );
  } catch {
    return [];
  }
  const colon = pair.indexOf(":");
  const name = colon === -1 ? pair : pair.slice(0, colon);
  const password = colon === -1 ? "" : pair.slice(colon + 1);
  const isSecretName = password === "" || name.length >= SHORTEST_WORD_CHARS;
  return [pair, password, ...(isSecretName ? [name] : [])];
}
