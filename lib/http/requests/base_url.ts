import { InputError } from "../../errors/mod.ts";
import { HIDDEN } from "../../errors/secrets.ts";

/** A base URL that paths are appended to. */
export interface BaseUrl {
  /** The URL without credentials and trailing slash. */
  readonly url: string;
  /** Scheme, host and port. */
  readonly origin: string;
  /** Value of `Authorization` for the credentials in the URL. */
  readonly authorization?: string;
}

/**
 * Parses a base URL and extracts its credentials.
 *
 * @throws {InputError} If it is not an http or https URL, or has a query or a fragment, to which no
 * path can be appended.
 */
export function parseBaseUrl(text: string): BaseUrl {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new InputError(`Cannot use "${shown(text)}" as the address of a deployment`, {
      remedy: "Pass a complete URL, for example https://host/path",
    });
  }
  if (url.search !== "" || url.hash !== "") {
    throw new InputError(
      `Cannot append paths to ${url.origin}${url.pathname} with a query or fragment`,
      {
        remedy:
          "Pass the URL without a query (`?`) and fragment (`#`); pass keys in the option `headers`",
      },
    );
  }
  const { origin, pathname } = url;
  const base = { url: origin + pathname.replace(/\/+$/, ""), origin };
  return url.username === "" && url.password === ""
    ? base
    : { ...base, authorization: basicAuthorization(url) };
}

/** Text that is not a URL may still hold secrets: anything before `@` and after `?`. */
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
