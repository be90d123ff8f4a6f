/** A request that is not answered: status, and why. */
export interface Refusal {
  /** HTTP status. */
  readonly status: 400 | 405 | 414 | 421 | 431;
  /** What is wrong, as a sentence. */
  readonly what: string;
  /** What to do. */
  readonly remedy: string;
}

/** Names of this machine, under which a server on loopback may be asked. */
const LOOPBACK: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];
const LONGEST_URL = 4_096;
const LONGEST_HEADERS = 16_384;

/** The names under which a server may be asked, in lower case and without a port. */
export function allowedHosts(names: Iterable<string>): ReadonlySet<string> {
  return new Set([...LOOPBACK, ...names].map((name) => name.toLowerCase()));
}

/**
 * Why a request is refused; `null` if it is not.
 *
 * A page of another site may make a browser ask this server under a name of its own (DNS rebinding):
 * only known names are answered.
 */
export function refusalOf(request: Request, hosts: ReadonlySet<string>): Refusal | null {
  if (request.method !== "GET" && request.method !== "HEAD") return NOT_READING;
  if (request.url.length > LONGEST_URL) return TOO_LONG;
  let headers = 0;
  for (const [name, value] of request.headers) headers += name.length + value.length;
  if (headers > LONGEST_HEADERS) return TOO_MANY_HEADERS;
  const url = URL.parse(request.url);
  if (url === null || !isDecodable(url.pathname)) return UNREADABLE;
  const host = request.headers.get("host");
  const isKnown = hosts.has(url.hostname.toLowerCase()) && (host === null || isHost(host, hosts));
  return isKnown ? null : WRONG_HOST;
}

function isHost(header: string, hosts: ReadonlySet<string>): boolean {
  const name = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(header)?.[1];
  return name !== undefined && hosts.has(name.toLowerCase());
}

function isDecodable(path: string): boolean {
  try {
    // deno-lint-ignore no-control-regex -- these characters are what is looked for
    return !/[\x00-\x1f\x7f]/.test(decodeURIComponent(path));
  } catch {
    return false;
  }
}

const NOT_READING: Refusal = {
  status: 405,
  what: "This explorer only shows: it takes GET and HEAD",
  remedy: "Open the address in a browser",
};
const TOO_LONG: Refusal = {
  status: 414,
  what: `The address is longer than ${LONGEST_URL} characters`,
  remedy: "Use fewer or shorter filters",
};
const TOO_MANY_HEADERS: Refusal = {
  status: 431,
  what: `The headers are longer than ${LONGEST_HEADERS} characters`,
  remedy: "Remove cookies or other headers that this server does not need",
};
const UNREADABLE: Refusal = {
  status: 400,
  what: "The address cannot be read",
  remedy: "Check its percent signs: each begins two hexadecimal digits of UTF-8",
};
const WRONG_HOST: Refusal = {
  status: 421,
  what: "This server is not asked under this name",
  remedy: "Ask for localhost or 127.0.0.1, or allow the name with the option hosts",
};
