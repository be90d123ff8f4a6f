import { assertEquals } from "@std/assert";
import { pipStep } from "../../../tools/jupyter/install_packages.ts";

Deno.test("pipStep() says what pip is doing", () => {
  assertEquals(
    pipStep("Collecting anyio==4.16.0 (from -r requirements.txt (line 8))"),
    "looking up anyio==4.16.0",
  );
  assertEquals(
    pipStep("  Downloading jupyterlab-4.6.6-py3-none-any.whl (12.4 MB)"),
    "downloading jupyterlab-4.6.6",
  );
  assertEquals(
    pipStep("  Using cached pyzmq-27.3.0-cp312-abi3-manylinux_2_26_x86_64.whl (840 kB)"),
    "using cached pyzmq-27.3.0",
  );
  assertEquals(
    pipStep("Installing collected packages: webencodings, pyzmq, jupyterlab"),
    "unpacking 3 packages",
  );
});

Deno.test("pipStep() passes over what is no step", () => {
  assertEquals(pipStep("Requirement already satisfied: six in .venv"), undefined);
  assertEquals(pipStep("WARNING: Retrying after connection broken"), undefined);
});
