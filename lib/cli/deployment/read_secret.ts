import { InputError } from "../../errors/mod.ts";
import { keepSecret } from "../../errors/secrets.ts";
import type { Session } from "../terminal/session.ts";
import type { Given } from "../words/given.ts";
import { usageError } from "../words/usage_error.ts";
import { KEY_VARIABLE, RPC_VARIABLE, WEBHOOK_VARIABLE } from "./target_options.ts";

/** A part of a path that looks like a key: long, of letters and digits. */
const KEY_LIKE = /^(?=.*\d)[\w-]{16,}$/;

/**
 * The key of a partner, from its file or the environment; `undefined` without one. From now on no
 * text shows it.
 *
 * @throws {InputError} If the file is empty or cannot be read.
 */
export async function readApiKey(session: Session, given: Given): Promise<string | undefined> {
  const key = await fileOf(given, "--api-key-file") ?? session.io.env(KEY_VARIABLE)?.trim();
  if (key === undefined || key === "") return undefined;
  keepSecret(key);
  return key;
}

/**
 * The secret that webhooks are signed with, from its file or the environment. From now on no text
 * shows it.
 *
 * @throws {InputError} If there is none, or its file is empty or cannot be read.
 */
export async function readWebhookSecret(session: Session, given: Given): Promise<string> {
  const secret = await fileOf(given, "--webhook-secret-file") ??
    session.io.env(WEBHOOK_VARIABLE)?.trim();
  if (secret === undefined || secret === "") {
    throw usageError(
      `${given.cannot} with --webhook and without a secret: its receiver could trust no message`,
      `Set ${WEBHOOK_VARIABLE}, or pass --webhook-secret-file`,
    );
  }
  keepSecret(secret);
  return secret;
}

/**
 * The URL of a node, from its file, the command line or the environment; `undefined` without one. A
 * key in it is shown in no text from now on; one on the command line is warned of.
 *
 * @param isLive Whether a live deployment is asked: only then does the environment count, since a
 *   recording or a sandbox has a chain of its own.
 * @throws {InputError} If it is no URL, or its file is empty or cannot be read.
 */
export async function readRpcUrl(
  session: Session,
  given: Given,
  { isLive }: { readonly isLive: boolean },
): Promise<string | undefined> {
  const written = given.text("--rpc-url");
  const text = await fileOf(given, "--rpc-url-file") ?? written ??
    (isLive ? session.io.env(RPC_VARIABLE) : undefined);
  if (text === undefined) return undefined;
  const url = URL.parse(text.trim());
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw usageError(
      `${given.cannot}: the URL of the node is no URL of http or https`,
      "Pass one with its scheme, such as https://node.example",
    );
  }
  const secrets = secretsOf(url);
  for (const secret of secrets) keepSecret(secret);
  if (text === written && secrets.length > 0) {
    session.warn(
      "--rpc-url has a key, which other programs of this machine can see: " +
        `set ${RPC_VARIABLE} or pass --rpc-url-file instead`,
    );
  }
  return url.href;
}

/** Hides the credentials of a URL on the command line, and warns of them. */
export function hideCredentials(session: Session, address: string): void {
  const { username = "", password = "" } = URL.parse(address) ?? {};
  const secrets = [username, password].filter((text) => text !== "").map(decodeURIComponent);
  for (const secret of secrets) keepSecret(secret);
  if (secrets.length === 0) return;
  session.warn(
    "--url has credentials, which other programs of this machine can see: " +
      `leave them out, and set ${KEY_VARIABLE} or pass --api-key-file where the service takes a key`,
  );
}

/** What in a URL may be a key: credentials, values of its query, and long parts of its path. */
function secretsOf(url: URL): string[] {
  return [
    url.username,
    url.password,
    ...url.searchParams.values(),
    ...url.pathname.split("/").filter((part) => KEY_LIKE.test(part)),
  ].filter((text) => text !== "").map(decodeURIComponent);
}

async function fileOf(given: Given, option: string): Promise<string | undefined> {
  const file = given.text(option);
  if (file === undefined) return undefined;
  const text = (await textFile(file, `${given.cannot} with ${option}`)).trim();
  if (text !== "") return text;
  throw usageError(
    `${given.cannot} with ${option} ${file}: the file is empty`,
    "Write the text into it",
  );
}

/**
 * The text of a file.
 *
 * @throws {InputError} If it cannot be read.
 */
export async function textFile(file: string, cannot: string): Promise<string> {
  try {
    return await Deno.readTextFile(file);
  } catch (cause) {
    throw new InputError(`${cannot}: ${file} cannot be read`, {
      facts: { reason: cause instanceof Error ? cause.message : String(cause) },
      remedy: "Pass the path of a file that can be read",
      cause,
    });
  }
}
