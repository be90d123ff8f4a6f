import { InputError } from "orderlens";
import { requireMaster, sparkConf } from "../../../lib/sql/spark/spark_conf.ts";
import { assertEquals, assertThrows } from "@std/assert";

const PLACE = { folder: "/tmp/session" };

Deno.test("settings that numbers depend on are the library's own", () => {
  const master = "yarn";
  const conf = sparkConf(
    { "spark.executor.memory": "4g", "spark.jars": "/own.jar", "spark.ui.enabled": "true" },
    { master, ...PLACE },
  );
  assertEquals(conf["spark.executor.memory"], "4g");
  assertEquals(conf["spark.jars"], "/own.jar");
  assertEquals(conf["spark.ui.enabled"], "true");
  assertEquals(conf["spark.sql.ansi.enabled"], "true");
  for (
    const own of [
      { "spark.sql.ansi.enabled": "false" },
      { "spark.sql.session.timeZone": "CET" },
      { "spark.master": "local" },
      { "executor.memory": "4g" },
    ]
  ) assertThrows(() => sparkConf({ ...own }, { master, ...PLACE }), InputError);
});

Deno.test("a cluster of this machine alone listens on loopback, any other is reached by its name", () => {
  const host = (master: string) => sparkConf({}, { master, ...PLACE })["spark.driver.bindAddress"];
  assertEquals(["local[2]", "local-cluster[2,1,1024]"].map(host), ["127.0.0.1", "127.0.0.1"]);
  assertEquals(["spark://host:7077", "yarn", "k8s://https://host"].map(host), [
    undefined,
    undefined,
    undefined,
  ]);
});

Deno.test("masters are those of Spark", () => {
  for (
    const master of [
      "local",
      "local[*]",
      "local[2]",
      "local-cluster[2,1,1024]",
      "spark://a:7077,b:7077",
      "yarn",
      "k8s://https://host:6443",
    ]
  ) requireMaster(master);
  for (const master of ["", "localhost", "http://host", "spark:7077", "local-cluster[2]"]) {
    assertThrows(() => requireMaster(master), InputError, "spark://host:7077");
  }
});
