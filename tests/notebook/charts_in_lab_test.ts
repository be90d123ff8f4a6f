import { assert, assertEquals, assertMatch } from "@std/assert";
import { join } from "node:path";
import { type Chart, type Exploration, explore, settlementOutcomes } from "orderlens/charts";
import { explorer } from "orderlens/explorer";
import { openMarket } from "orderlens/market";
import { replay } from "orderlens/recordings";
import { ensureJupyter } from "../../tools/jupyter/ensure_jupyter.ts";
import type { JupyterEnvironment } from "../../tools/jupyter/environment.ts";
import { writeLabSettings } from "../../tools/jupyter/lab_settings.ts";
import { runModule } from "../../tools/jupyter/run_module.ts";
import { trustNotebooks } from "../../tools/jupyter/trust_notebooks.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";
import { readLines } from "../../tools/terminal/run_quietly.ts";
import { jupyterBundle } from "../charts/page/shown_charts.ts";
import { testInBrowser } from "../test_in_browser.ts";

const FOLDER = join(PROJECT_ROOT, "build", "tests", "lab");

const CHART = settlementOutcomes([
  { solver: "solver a", in_time: 30, late: 2, absent: 10, pending: 0 },
  { solver: "solver b", in_time: 50, late: 0, absent: 4, pending: 0 },
]);

/** A cell as it is once executed. */
function executed(name: string, value: Chart | Exploration) {
  return {
    cell_type: "code",
    id: name,
    metadata: {},
    source: `await show(${name});`,
    outputs: [{ output_type: "display_data", metadata: {}, data: jupyterBundle(value) }],
    execution_count: 1,
  };
}

/** A notebook as it is once executed; the same text twice would be signed twice. */
function notebook(heading: string, exploration: Exploration): string {
  return JSON.stringify({
    cells: [
      { cell_type: "markdown", id: "heading", metadata: {}, source: heading },
      executed("chart", CHART),
      executed("exploration", exploration),
    ],
    metadata: { kernelspec: { display_name: "Deno", language: "typescript", name: "deno" } },
    nbformat: 4,
    nbformat_minor: 5,
  });
}

/** The project's Jupyter, with settings and signatures of its own. */
async function ownJupyter(): Promise<JupyterEnvironment> {
  const jupyter = await ensureJupyter();
  const settings = join(FOLDER, "config");
  return {
    ...jupyter,
    settings,
    variables: {
      ...jupyter.variables,
      JUPYTER_CONFIG_DIR: settings,
      JUPYTER_DATA_DIR: join(FOLDER, "data"),
      JUPYTER_RUNTIME_DIR: join(FOLDER, "runtime"),
    },
  };
}

/** Writes two notebooks, of which nobody signs the second. */
async function writeNotebooks(
  jupyter: JupyterEnvironment,
  exploration: Exploration,
): Promise<void> {
  const trusted = join(FOLDER, "notebooks", "trusted.ipynb");
  await Deno.writeTextFile(trusted, notebook("Signed here", exploration));
  await Deno.writeTextFile(
    join(FOLDER, "notebooks", "untrusted.ipynb"),
    notebook("From elsewhere", exploration),
  );
  await trustNotebooks(jupyter, [trusted]);
}

/**
 * Starts a JupyterLab on the notebooks in `folder`, in the dark theme, and resolves once it answers.
 * Only this machine reaches it, and it ends, with its kernels, when it is disposed of.
 *
 * @throws {Error} If it ends instead; the message has its last words.
 */
async function openLab(jupyter: JupyterEnvironment, folder: string) {
  await writeLabSettings(jupyter);
  const themes = join(
    jupyter.settings,
    "lab",
    "user-settings",
    "@jupyterlab",
    "apputils-extension",
  );
  await Deno.mkdir(themes, { recursive: true });
  const theme = JSON.stringify({ theme: "JupyterLab Dark" });
  await Deno.writeTextFile(join(themes, "themes.jupyterlab-settings"), theme);
  const port = freePort();
  const token = crypto.randomUUID();
  const child = new Deno.Command(jupyter.python, {
    args: [
      ...runModule("jupyterlab"),
      "--no-browser",
      ...Deno.build.os !== "windows" && Deno.uid() === 0 ? ["--allow-root"] : [],
      `--ServerApp.root_dir=${folder}`,
      "--ServerApp.ip=127.0.0.1",
      `--ServerApp.port=${port}`,
      "--ServerApp.port_retries=0",
      `--IdentityProvider.token=${token}`,
      "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ],
    cwd: folder,
    env: { ...jupyter.variables },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const lines = readLines(child.stderr);
  const last: string[] = [];
  while (!last.at(-1)?.includes("is running at")) {
    const { done, value } = await lines.next();
    if (done) throw new Error(`JupyterLab ended: ${last.slice(-5).join("\n")}`);
    last.push(value);
  }
  const words = Array.fromAsync(lines);
  const url = `http://127.0.0.1:${port}`;
  return {
    /** Address of a notebook in its folder, beside the list of the others. */
    addressOf: (notebook: string) => `${url}/lab/tree/${notebook}?token=${token}`,
    /** Whether an address is one of its own. */
    owns: (other: string) => other.startsWith(url) || other.startsWith(url.replace("http", "ws")),
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await Promise.all([child.status, words]);
    },
  };
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

testInBrowser(
  "an executed notebook in a real JupyterLab: charts answer if it is trusted, are seen if not",
  async (browser, t) => {
    await Deno.remove(FOLDER, { recursive: true }).catch(() => {});
    await Deno.mkdir(join(FOLDER, "notebooks"), { recursive: true });
    const jupyter = await ownJupyter();
    const recording = await replay("market_1");
    const site = explorer(recording);
    await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, site.fetch);
    const href = `http://127.0.0.1:${server.addr.port}`;
    const fills = await (await openMarket(recording)).fills();
    const notebooks = writeNotebooks(jupyter, explore(fills, { href }));
    await using lab = await openLab(jupyter, join(FOLDER, "notebooks"));
    await notebooks;
    const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
    page.setDefaultTimeout(60_000);
    const elsewhere: string[] = [];
    page.on("request", (request) => {
      const url = request.url();
      if (!lab.owns(url) && !/^(?:about|data|blob):/.test(url)) elsewhere.push(url);
    });
    // The notebook in front; the other one stays open behind it.
    const figure = page.locator(
      ".jp-NotebookPanel:not(.lm-mod-hidden) .jp-OutputArea-output figure:not(.orderlens-explore)",
    );
    const exploration = page.locator(
      ".jp-NotebookPanel:not(.lm-mod-hidden) .jp-OutputArea-output figure.orderlens-explore",
    );

    await t.step(
      "untrusted: the picture and its finding, without a script and without stray text",
      async () => {
        await page.goto(lab.addressOf("untrusted.ipynb"));
        const image = figure.locator("img");
        await image.waitFor();
        assertEquals(
          await image.evaluate(async (one) => {
            await Reflect.get(one, "decode").call(one);
            return Reflect.get(one, "naturalWidth");
          }),
          760,
        );
        assertMatch((await image.getAttribute("alt"))!, /winning solutions were settled in time/);
        const output = page.locator(".jp-OutputArea-output");
        assertEquals(await output.locator("script, svg, style").count(), 0);
        const words = (await output.allInnerTexts()).join("").trim();
        assertEquals(words, CHART.finding);
      },
    );
    await t.step("trusted: the drawing is in the page, in Lab's dark theme", async () => {
      await page.getByRole("listitem").getByText("trusted.ipynb", { exact: true }).dblclick();
      await figure.locator("> svg:visible").waitFor();
      await page.locator('body[data-jp-theme-light="false"]').waitFor({ state: "attached" });
      assertEquals(await figure.locator("> img").count(), 0);
      const [paper] = await figure.evaluateAll((found) =>
        found.map((one) => Reflect.get(globalThis, "getComputedStyle")(one).backgroundColor)
      );
      assertEquals(paper, "rgb(20, 23, 26)");
    });

    await t.step("trusted: the pointer, the keyboard and the legend work", async () => {
      // Of its drawings, the one for this width is seen.
      const drawing = figure.locator("> svg:visible");
      const bar = drawing.locator('.outcome rect[fill="#d55e00"]').first();
      await bar.hover();
      assertMatch(await figure.locator("> div").innerText(), /solver b\nabsent: 4 of 54/);
      await figure.getByRole("button", { name: "absent" }).click();
      assertEquals(await bar.isVisible(), false);
      await page.keyboard.press("Enter");
      assertEquals(await bar.isVisible(), true);
      await drawing.locator('[role=img][tabindex="0"]').focus();
      const first = await page.locator(":focus").getAttribute("aria-label");
      await page.keyboard.press("ArrowDown");
      const second = await page.locator(":focus").getAttribute("aria-label");
      assert(second !== null && second !== first, "Lab's own shortcuts do not take the key");
      assertEquals(await figure.locator("> div").innerText(), second);
    });
    await t.step(
      "trusted: an exploration is filtered, brushed, and leads to an order",
      async () => {
        const status = exploration.locator("[role=status]");
        await exploration.getByLabel("Solver", { exact: true }).selectOption("solver_d");
        assertMatch(await status.innerText(), /^\d+ of 664 fills: solver solver_d\. Median/);
        const canvas = exploration.locator("canvas").first();
        await canvas.scrollIntoViewIfNeeded();
        const { x, y, width, height } = (await canvas.boundingBox())!;
        await page.mouse.move(x + 60, y + 12);
        await page.mouse.down();
        await page.mouse.move(x + width / 2, y + height * 0.85, { steps: 4 });
        await page.mouse.up();
        assertMatch(
          await status.innerText(),
          /^\d+ of 664 fills: solver solver_d, volume [\d.]+ to [\d.]+ native tokens, slippage net /,
        );
        const order = page.waitForEvent("popup");
        await exploration.locator("tbody a").first().click();
        const shown = await order;
        await shown.locator("main").waitFor();
        assertMatch(shown.url(), new RegExp(`^${href}/orders/0x[0-9a-f]{112}$`));
        assertMatch(await shown.locator("main").innerText(), /filled/i);
      },
    );
    assertEquals(elsewhere, []);
  },
);
