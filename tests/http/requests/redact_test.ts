import { assertEquals } from "@std/assert";
import { redact } from "../../../lib/http/transport.ts";

Deno.test("redact() hides credentials of a URL and secrets of a query", () => {
  for (
    const [text, shown] of [
      ["https://mira:key@host/x", "https://[hidden]@host/x"],
      ["sent to (https://key@host:80/x).", "sent to (https://[hidden]@host:80/x)."],
      ["/x?limit=3&api_key=ab&b=1", "/x?limit=3&api_key=[hidden]&b=1"],
      ["/x?access_token=ab#c", "/x?access_token=[hidden]#c"],
      [
        "for url (http://host/x?X-Signature=ab): no",
        "for url (http://host/x?X-Signature=[hidden]): no",
      ],
    ] as const
  ) assertEquals(redact(text), shown);
});

Deno.test("redact() leaves everything else", () => {
  for (
    const text of [
      "/api/v1/token/0xab/native_price",
      "/api/v2/trades?owner=0xab&offset=0&limit=10",
      "https://host/@scope/x?q=a@b",
      "at file:///src/npm/pkg@1.0.0/x.ts",
    ]
  ) assertEquals(redact(text), text);
});
