import { join } from "node:path";
import type { JupyterEnvironment } from "../../tools/jupyter/environment.ts";
import { writeLabSettings } from "../../tools/jupyter/lab_settings.ts";
import { runModule } from "../../tools/jupyter/run_module.ts";
import { linesOf } from "../../tools/terminal/run_quietly.ts";

/** A JupyterLab of its own: only this machine reaches it, and it ends when it is disposed of. */
export class Lab implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #url: string;
  readonly #token: string;
  #words: Promise<unknown> = Promise.resolve();

  private constructor(child: Deno.ChildProcess, url: string, token: string) {
    this.#child = child;
    this.#url = url;
    this.#token = token;
  }

  /**
   * Starts it on the notebooks in `folder`, in the dark theme, and resolves once it answers.
   *
   * @throws {Error} If it ends instead; the message has its last words.
   */
  static async open(jupyter: JupyterEnvironment, folder: string): Promise<Lab> {
    await writeLabSettings(jupyter);
    await chooseTheme(jupyter, "JupyterLab Dark");
    const port = freePort();
    const token = crypto.randomUUID();
    const asRoot = Deno.build.os !== "windows" && Deno.uid() === 0 ? ["--allow-root"] : [];
    const child = new Deno.Command(jupyter.python, {
      args: [
        ...[
          ...runModule("jupyterlab"),
          "--no-browser",
          ...asRoot,
          `--ServerApp.root_dir=${folder}`,
        ],
        ...["--ServerApp.ip=127.0.0.1", `--ServerApp.port=${port}`, "--ServerApp.port_retries=0"],
        ...[
          `--IdentityProvider.token=${token}`,
          "--LabApp.check_for_updates_class=" +
          "jupyterlab.NeverCheckForUpdate",
        ],
      ],
      cwd: folder,
      env: { ...jupyter.variables },
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).spawn();
    const lab = new Lab(child, `http://127.0.0.1:${port}`, token);
    await lab.#started();
    return lab;
  }

  /** Address of a notebook in its folder, beside the list of the others. */
  addressOf(notebook: string): string {
    return `${this.#url}/lab/tree/${notebook}?token=${this.#token}`;
  }

  /** Whether an address is one of its own. */
  owns(url: string): boolean {
    return url.startsWith(this.#url) || url.startsWith(this.#url.replace("http", "ws"));
  }

  /** Ends it and its kernels. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGTERM");
    await Promise.all([this.#child.status, this.#words]);
  }

  async #started(): Promise<void> {
    const lines = linesOf(this.#child.stderr);
    const last: string[] = [];
    for (;;) {
      const { done, value } = await lines.next();
      if (done) throw new Error(`JupyterLab ended: ${last.slice(-5).join("\n")}`);
      last.push(value);
      if (value.includes("is running at")) break;
    }
    this.#words = Array.fromAsync(lines);
  }
}

async function chooseTheme({ settings }: JupyterEnvironment, theme: string): Promise<void> {
  const folder = join(settings, "lab", "user-settings", "@jupyterlab", "apputils-extension");
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(join(folder, "themes.jupyterlab-settings"), JSON.stringify({ theme }));
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
