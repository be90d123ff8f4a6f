import { VERSION } from "orderlens/http";
import { assertEquals } from "@std/assert";
import configuration from "../../../deno.json" with { type: "json" };
import { USER_AGENT } from "../../../lib/http/transport.ts";

Deno.test("VERSION and USER_AGENT match deno.json", () => {
  assertEquals(VERSION, configuration.version);
  assertEquals(USER_AGENT, `orderlens/${configuration.version}`);
});
