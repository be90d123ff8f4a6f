import { HttpStatusError } from "orderlens";
import type { HttpRequest } from "orderlens/http";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { keepSecret } from "../../lib/errors/secrets.ts";
import { redirectTarget } from "../../lib/http/exchange.ts";

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
  return redirectTarget(response, { request, from, followed });
}

function rejection(location: string, options: Parameters<typeof target>[1] = {}) {
  const { message, remedy } = assertThrows(() => target(location, options), HttpStatusError);
  return {
    message: message.split("\n").filter((line) => !/request:|status:|body:/.test(line)),
    remedy,
  };
}

const CHECK_WHO =
  "Check the address of the deployment, and that no proxy answers for it: an order book does not redirect like this";

Deno.test("redirectTarget() reads relative and absolute targets of the same origin", () => {
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

Deno.test("redirectTarget() hides a secret before it cuts a target", () => {
  keepSecret("r3directed-key-5521");
  for (const start of ["http://[", "ftp:"]) {
    const location = `${start}${"x".repeat(66)}/r3directed-key-5521`;
    const { message } = rejection(location);
    assert(!message.join().includes("r3dir"), message.join());
  }
});

Deno.test("redirectTarget() is undefined for other statuses", () => {
  assertEquals(target("/y", { status: 304 }), undefined);
  assertEquals(target("/y", { status: 201 }), undefined);
  const bare = new Response(null, { status: 302 });
  assertEquals(redirectTarget(bare, { request: GET, from: FROM, followed: 0 }), undefined);
});

Deno.test("redirectTarget() names a target that is not http or https", () => {
  for (
    const [location, scheme, to] of [
      ["javascript:alert(document.cookie)", "javascript:", "javascript:alert(document.cookie)"],
      ["data:text/html,hi?secret=1", "data:", "data:text/html,hi"],
      ["file:///etc/passwd", "file:", "file:/etc/passwd"],
      ["mailto:a@b.org", "mailto:", "mailto:a@b.org"],
    ] as const
  ) {
    assertEquals(rejection(location), {
      message: [
        `Cannot follow the redirect of GET /api/x to a ${scheme} URL, which is not http or https`,
        "  from: https://book.example",
        `  to: ${to}`,
        `Fix: ${CHECK_WHO}`,
      ],
      remedy: CHECK_WHO,
    });
  }
});

Deno.test("redirectTarget() rejects a target that is empty or not a URL", () => {
  assertEquals(rejection("").message.slice(0, 3), [
    "Cannot follow the redirect of GET /api/x without a target",
    "  from: https://book.example",
    '  to: ""',
  ]);
  assertEquals(rejection("http://[half").message.slice(0, 3), [
    "Cannot follow the redirect of GET /api/x to an invalid URL",
    "  from: https://book.example",
    '  to: "http://[half"',
  ]);
  assertEquals(rejection("https://:99999").remedy, CHECK_WHO);
});

Deno.test("redirectTarget() rejects another origin, and never recommends an unencrypted one", () => {
  assertEquals(rejection("https://mira:s3cr3t@other.example/y?key=1"), {
    message: [
      "Cannot follow the redirect of GET /api/x to another origin, https://other.example",
      "  from: https://book.example",
      "  to: https://other.example/y",
      "Fix: If you trust https://other.example, connect to it",
    ],
    remedy: "If you trust https://other.example, connect to it",
  });
  for (const location of ["http://book.example/y", "http://other.example/y"]) {
    const { message, remedy } = rejection(location);
    assertEquals(
      message[0],
      `Cannot follow the redirect of GET /api/x to another origin, ${
        new URL(location).origin
      }, which is not encrypted, unlike https://book.example`,
    );
    assertEquals(remedy, CHECK_WHO);
  }
  const upgrade = rejection("https://book.example/y", { from: "http://book.example/x" });
  assertEquals(upgrade.remedy, "If you trust https://book.example, connect to it");
  assertEquals(
    rejection("//other.example/y").remedy,
    "If you trust https://other.example, connect to it",
  );
  assertEquals(
    rejection("\\\\other.example").remedy,
    "If you trust https://other.example, connect to it",
  );
});

Deno.test("redirectTarget() rejects credentials, a body and a sixth redirect", () => {
  assertEquals(
    rejection("https://mira:s3cr3t@book.example/y").message.slice(0, 3),
    [
      "Cannot follow the redirect of GET /api/x to a URL with credentials",
      "  from: https://book.example",
      "  to: https://book.example/y",
    ],
  );
  const request = { method: "POST", path: "/x", body: "{}" } as const;
  assertEquals(
    rejection("/y", { request }).message[0],
    "Cannot follow the redirect of POST /x with its body",
  );
  assertEquals(target("/y", { followed: 4 }), "https://book.example/y");
  assertEquals(
    rejection("/y", { followed: 5 }).message[0],
    "Cannot follow the redirect of GET /api/x more than 5 times",
  );
});
