import { InputError } from "../errors/mod.ts";
import { HIDDEN } from "../errors/secrets.ts";

/** An address that paths are appended to. */
export interface BaseUrl {
  /** The address without credentials and trailing slash. */
  readonly url: string;
  /** Scheme, host and port. */
  readonly origin: string;
  /** Value of `Authorization` for the credentials that stood in the address. */
  readonly authorization?: string;
}

/**
 * Reads an address, and takes credentials out of it.
 *
 * @throws {InputError} If it is no http or https URL, or has a query or a fragment, behind which no
 * path can be appended.
 */
export function parseBaseUrl(text: string): BaseUrl {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new InputError(`Cannot use "${shown(text)}" as the address of a deployment`, {
      remedy: "Pass a whole URL, as https://host/path",
    });
  }
  if (url.search !== "" || url.hash !== "") {
    throw new InputError(`Cannot append paths to ${url.origin}${url.pathname} with a query`, {
      remedy: "Pass the address without `?` and `#`; keys belong in the option `headers`",
    });
  }
  const { origin, pathname } = url;
  const base = { url: origin + pathname.replace(/\/+$/, ""), origin };
  return url.username === "" && url.password === ""
    ? base
    : { ...base, authorization: basicAuthorization(url) };
}

/** What is no URL may still hold what one would hide: whatever stands before `@` and after `?`. */
function shown(text: string): string {
  return text.replace(/[?#].*$/s, "").replace(/^.*@/s, `${HIDDEN}@`);
}

function basicAuthorization({ username, password }: URL): string {
  const bytes = new TextEncoder().encode(`${unescaped(username)}:${unescaped(password)}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
