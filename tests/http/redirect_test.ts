import { HttpStatusError } from "orderlens";
import type { HttpRequest } from "orderlens/http";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { registerSecret } from "../../lib/errors/secrets.ts";
import { resolveRedirect } from "../../lib/http/exchange.ts";

const GET = { method: "GET", path: "/api/x" } as const;
const FROM = "https://book.example/api/x?a=1";

function target(
  location: string,
  { request = GET, followed = 0, status = 302, from = FROM }: {
    request?: HttpRequest;
    followed?: number;
    status?: number;
    from?: string;
  } = {},
): string | undefined {
  const response = new Response(null, { status, headers: { location } });
  return resolveRedirect(response, { request, from, redirectCount: followed });
}

const CHECK = "Check the address of the deployment";
const CHECK_WHO =
  `${CHECK}, and that no proxy answers for it: an order book does not redirect like this`;

Deno.test("resolveRedirect() reads relative and absolute targets of the same origin", () => {
  for (
    const [location, href] of [
      ["/y", "https://book.example/y"],
      ["y?b=2", "https://book.example/api/y?b=2"],
      ["?b=2", "https://book.example/api/x?b=2"],
      ["../z", "https://book.example/z"],
      ["//book.example/y", "https://book.example/y"],
      ["HTTPS://BOOK.EXAMPLE:443/y", "https://book.example/y"],
    ] as const
  ) {
    for (const status of [301, 302, 303, 307, 308]) {
      assertEquals(target(location, { status }), href);
    }
  }
});

Deno.test("resolveRedirect() hides a secret before it cuts a target", () => {
  registerSecret("r3directed-key-5521");
  for (const start of ["http://[", "ftp:"]) {
    const location = `${start}${"x".repeat(66)}/r3directed-key-5521`;
    const { message } = assertThrows(() => target(location), HttpStatusError);
    assert(!message.includes("r3dir"), message);
  }
});

Deno.test("resolveRedirect() is undefined for other statuses", () => {
  assertEquals(target("/y", { status: 304 }), undefined);
  assertEquals(target("/y", { status: 201 }), undefined);
  const bare = new Response(null, { status: 302 });
  assertEquals(resolveRedirect(bare, { request: GET, from: FROM, redirectCount: 0 }), undefined);
});

/** Targets that are not followed, why, how they are shown, and the remedy. */
const REFUSED: readonly [
  location: string,
  why: string,
  to: string,
  remedy?: string,
  options?: Parameters<typeof target>[1],
][] = [
  ...([
    ["javascript:alert(document.cookie)", "javascript:", "javascript:alert(document.cookie)"],
    ["data:text/html,hi?secret=1", "data:", "data:text/html,hi"],
    ["file:///etc/passwd", "file:", "file:/etc/passwd"],
    ["mailto:a@b.org", "mailto:", "mailto:a@b.org"],
  ] as const).map(([location, scheme, to]): typeof REFUSED[number] => [
    location,
    `to a ${scheme} URL, which is not http or https`,
    to,
  ]),
  ["", "without a target", '""'],
  ["http://[half", "to an invalid URL", '"http://[half"'],
  ["https://:99999", "to an invalid URL", '"https://:99999"'],
  ...["https://mira:s3cr3t@other.example/y?key=1", "//other.example/y", "\\\\other.example/y"].map((
    location,
  ): typeof REFUSED[number] => [
    location,
    "to another origin, https://other.example",
    "https://other.example/y",
    "If you trust https://other.example, connect to it",
  ]),
  // An unencrypted origin is never recommended.
  ...["http://book.example", "http://other.example"].map((origin): typeof REFUSED[number] => [
    `${origin}/y`,
    `to another origin, ${origin}, which is not encrypted, unlike https://book.example`,
    `${origin}/y`,
  ]),
  [
    "https://book.example/y",
    "to another origin, https://book.example",
    "https://book.example/y",
    "If you trust https://book.example, connect to it",
    { from: "http://book.example/x" },
  ],
  [
    "https://mira:s3cr3t@book.example/y",
    "to a URL with credentials",
    "https://book.example/y",
  ],
  ["/y", "more than 5 times", "https://book.example/y", CHECK, { followed: 5 }],
  ["/y", "with its body", "https://book.example/y", CHECK, {
    request: { method: "POST", path: "/api/x", body: "{}" },
  }],
];

Deno.test("resolveRedirect() names why a target is not followed, and what to do", () => {
  assertEquals(target("/y", { followed: 4 }), "https://book.example/y");
  for (const [location, why, to, remedy = CHECK_WHO, options = {}] of REFUSED) {
    const error = assertThrows(() => target(location, options), HttpStatusError);
    const { request = GET, from = FROM } = options;
    assertEquals(error.message.split("\n").filter((line) => !/request:|status:/.test(line)), [
      `Cannot follow the redirect of ${request.method} /api/x ${why}`,
      `  from: ${new URL(from).origin}`,
      `  to: ${to}`,
      `Fix: ${remedy}`,
    ]);
    assertEquals(error.remedy, remedy);
  }
});
