import { assertEquals, assertMatch } from "@std/assert";
import { jupyterEnvironment } from "../../../tools/jupyter/environment.ts";

Deno.test("jupyterEnvironment() keeps every folder of Jupyter inside .venv", () => {
  const { python, settings, variables } = jupyterEnvironment("/project");
  for (const name of ["CONFIG", "DATA", "RUNTIME"]) {
    assertMatch(variables[`JUPYTER_${name}_DIR`] ?? "", /^\/project\/\.venv\//);
  }
  assertMatch(variables.IPYTHONDIR ?? "", /^\/project\/\.venv\//);
  assertEquals(settings, variables.JUPYTER_CONFIG_DIR);
  assertMatch(python, /^\/project\/\.venv\//);
});

Deno.test("jupyterEnvironment() isolates the user's own Python", () => {
  const { variables } = jupyterEnvironment("/project");
  assertEquals([variables.PYTHONPATH, variables.PYTHONHOME, variables.JUPYTER_PATH], ["", "", ""]);
  assertEquals(variables.PYTHONNOUSERSITE, "1");
});
