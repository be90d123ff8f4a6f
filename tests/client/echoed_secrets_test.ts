import { connect, OrderlensError, type QuoteRequest } from "orderlens";
import {
  getAccountOrders,
  getOrder,
  getOrdersByUids,
  postQuote,
  streamQuotes,
} from "orderlens/endpoints";
import { type HttpHooks, type HttpTransport, httpTransport } from "orderlens/http";
import { decodeOrderCreation } from "orderlens/schemas";
import { record } from "orderlens/recordings";
import { assert, assertEquals } from "@std/assert";
import { RECORDED_ORDER, uidNumber } from "../endpoints/recorded_bodies.ts";
import {
  answers,
  type Behaviour,
  misbehavingServer,
  redirects,
  streams,
  truncates,
} from "../misbehaving_server.ts";
import { textsOf } from "../secret_texts.ts";

const KEY = "k7Yq-2MxWv9/LdR3tBz0+Ha=";
const OTHER_KEY = "9f3kd82hs71ma0q4";
const PASSWORD = "pä55-phrase";

/** Spellings in which a server echoes the keys of headers. */
const KEYS: readonly string[] = [
  KEY,
  encodeURIComponent(KEY).toLowerCase(),
  btoa(KEY),
  OTHER_KEY.toUpperCase(),
];

/** Spellings in which it echoes the password of the URL; the last is base64 of `mira:pä55-phrase`. */
const PASSWORDS: readonly string[] = [PASSWORD, "bWlyYTpww6Q1NS1waHJhc2U="];

const UID = uidNumber(1);
const OWNER = "0xba78423395063915fbf92bab6d4c769676f0f55e";
const QUOTE: QuoteRequest = {
  kind: "sell",
  sellAmountBeforeFee: 3000000000000000000n,
  sellToken: "0x67d269191c92caf3cd7723f116c85e6e9bf55933",
  buyToken: "0xe6e340d132b5f46d1e472debcd681b2abc16e57e",
  from: OWNER,
};
const ORDER = decodeOrderCreation(RECORDED_ORDER);

const order = (transport: HttpTransport) => getOrder(transport, UID);
const quote = (transport: HttpTransport) => postQuote(transport, QUOTE);
const quotes = (transport: HttpTransport) => Array.fromAsync(streamQuotes(transport, QUOTE));
const account = (transport: HttpTransport) => Array.fromAsync(getAccountOrders(transport, OWNER));
const create = (transport: HttpTransport) =>
  connect(transport, { chainId: 1, settlementContract: `0x${"90".repeat(20)}` }).createOrder(ORDER);
async function byUids(transport: HttpTransport): Promise<never> {
  const { failed } = await getOrdersByUids(transport, [UID]);
  throw failed[0]?.error;
}

const html = { headers: { "content-type": "text/html" } };

/** Responses of a careless or hostile server, for a spelling of the key. */
type Places = Readonly<Record<string, (key: string) => Behaviour>>;

/** Them, by what is asked. */
const PLACES: readonly (readonly [ask: (at: HttpTransport) => Promise<unknown>, Places])[] = [
  [order, {
    "a page of HTML that says it is JSON": (key) => answers(`<p>${key}</p>`),
    "JSON that breaks off behind it": (key) => answers(`{"owner":"${key}`),
    "JSON that is wrong before it": (key) => answers(`{"owner":${key}}`),
    "a page of HTML": (key) => answers(`<p>${key}</p>`, html),
    "a content type": (key) => answers("{}", { headers: { "content-type": `text/${ascii(key)}` } }),
    "the path of a redirect": (key) => redirects(`http://127.0.0.1:1/${ascii(key)}`),
    "the query of a redirect": (key) => redirects(`http://127.0.0.1:1/?a=${ascii(key)}`),
    "the credentials of a redirect": (key) => redirects(`http://${ascii(key)}@127.0.0.1:1/`),
    "the host of a redirect": (key) => redirects(`https://${hostOf(key)}.org/`),
    "the scheme of a redirect": (key) => redirects(`javascript:${ascii(key)}`),
    "a value of the wrong kind": (key) => json({ ...RECORDED_ORDER, sellAmount: key }),
    "a value that is cut": (key) => json({ ...RECORDED_ORDER, sellAmount: "x".repeat(60) + key }),
    "the name of a field": (key) => json({ ...RECORDED_ORDER, fullAppData: 1, [key]: 2 }),
    "the name of a broken field": (key) =>
      json({ ...RECORDED_ORDER, interactions: { [key]: 1 }, uid: key }),
    "a rejection in plain text": (key) => answers(`denied: ${key}`, { status: 403 }),
  }],
  [account, {
    "one element of a list": (key) => json([{ ...RECORDED_ORDER, owner: key }]),
    "a good element beside a broken one": (key) =>
      json([{ ...RECORDED_ORDER, more: key }, { uid: key }]),
  }],
  [byUids, {
    "the description of one of many orders": (key) =>
      json([{ error: { uid: UID, description: `no: ${key}` } }]),
    "an order that nobody asked for": (key) => json([{ error: { uid: key, description: key } }]),
  }],
  [quote, {
    "a redirect of a POST": (key) => redirects(`/${ascii(key)}`),
    "a rejection": (key) =>
      json({ errorType: key, description: key, data: { [key]: [key] } }, { status: 400 }),
    "a truncated rejection": (key) => answers("x".repeat(190) + key, { status: 500 }),
    "too many requests": (key) => answers(key, { status: 429 }),
    "a route that is missing": (key) => answers(`no ${key}`, { status: 404 }),
  }],
  [quotes, {
    "an error event": (key) =>
      streamed(`event: error\ndata: {"errorType":"${key}","description":"${key}"}\n\n`),
    "an error event that is not JSON": (key) => streamed(`event: error\ndata: ${key}\n\n`),
    "an event that is not JSON": (key) => streamed(`data: ${key}\n\n`),
    "an event that is no quote": (key) => streamed(`data: {"id":"${key}"}\n\n`),
    "an event that is cut": (key) => streamed(`data: {"id":"${key}`),
    "an answer that is no stream": (key) => answers(`<p>${key}`, html),
  }],
  [create, {
    "the UID of a created order": (key) => answers(`"${key}"`),
    "a creation that failed": (key) => answers(`down: ${key}`, { status: 500 }),
    "a body that breaks off": (key) => truncates(key),
  }],
];

function streamed(event: string): Behaviour {
  return streams([event], { headers: { "content-type": "text/event-stream" } });
}

function json(body: unknown, options = {}): Behaviour {
  // Spellings with escapes are sent as they are, not escaped once more.
  return answers(JSON.stringify(body).replaceAll("\\\\", "\\"), options);
}

function ascii(key: string): string {
  return key.replaceAll("ä", "%C3%A4");
}

function hostOf(key: string): string {
  return key.replaceAll(/[^a-z0-9-]+/gi, "");
}

/** A server with the same answer for every path. */
function everywhere(behaviour: Behaviour): Record<string, Behaviour> {
  return new Proxy({}, { get: () => behaviour });
}

/** The secrets that remain in a text, in any decoding. */
function secretIn(text: string, spelt: string): string | undefined {
  const shown = text.toLowerCase();
  const sought = [spelt, JSON.stringify(spelt).slice(1, -1), KEY, OTHER_KEY, PASSWORD, btoa(KEY)];
  return sought.find((one) => shown.includes(one.toLowerCase()));
}

/** Sends the password, or the keys. */
function transportTo(url: string, spelt: string, hooks: HttpHooks): HttpTransport {
  const options = { hooks, retries: 0 };
  if (PASSWORDS.includes(spelt)) {
    return httpTransport(url.replace("//", `//mira:${encodeURIComponent(PASSWORD)}@`), options);
  }
  const headers = { authorization: `Bearer ${KEY}`, "x-other": OTHER_KEY };
  return httpTransport(url, { headers, ...options });
}

for (const [call, places] of PLACES) {
  for (const [place, behaviourFor] of Object.entries(places)) {
    Deno.test(`no error shows a key that the server echoes in ${place}`, async () => {
      for (const spelt of [...KEYS, ...PASSWORDS]) {
        const events: unknown[] = [];
        const tell = (event: unknown) => void events.push(event);
        await using server = misbehavingServer(everywhere(behaviourFor(spelt)));
        const hooks = { onStart: tell, onRetry: tell, onEnd: tell };
        const thrown = await call(transportTo(server.url, spelt, hooks)).catch((error) => error);
        assert(thrown instanceof OrderlensError, `${thrown}`);
        for (const text of [...textsOf(thrown), ...events.flatMap(textsOf)]) {
          const left = secretIn(text, spelt);
          assert(left === undefined, `${spelt} leaves ${left} in ${text}`);
        }
      }
    });
  }
}

Deno.test("data with the echoed key is returned unchanged, and written nowhere", async () => {
  const body = JSON.stringify({ ...RECORDED_ORDER, more: KEY });
  await using server = misbehavingServer(everywhere(answers(body)));
  const folder = await Deno.makeTempDir();
  const transport = httpTransport(server.url, {
    headers: { "x-api-key": KEY },
    cacheFolder: `${folder}/answers`,
  });
  const recorder = record(transport, `${folder}/recording`);

  const request = { method: "GET", path: "/x", isImmutable: () => true } as const;
  assertEquals((await recorder.send(request)).body, body);

  const written = await Deno.readTextFile(`${folder}/recording/exchanges-0001.ndjson`);
  assertEquals(JSON.parse(written).responseBody, body.replace(KEY, "[hidden]"));
  assertEquals(await Array.fromAsync(Deno.readDir(`${folder}/answers`)), []);
  await Deno.remove(folder, { recursive: true });
});
