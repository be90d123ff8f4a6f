import { PROJECT_ROOT } from "../project_root.ts";

/** Runs a program in the project's folder, sends it `input`, and returns its output. */
export async function runWithInput(
  { program, args, input, variables = {} }: {
    program: string;
    args: readonly string[];
    input: string;
    variables?: Readonly<Record<string, string>>;
  },
): Promise<{ success: boolean; stdout: string; stderr: string }> {
  const child = new Deno.Command(program, {
    args: [...args],
    cwd: PROJECT_ROOT,
    env: { ...variables, NO_COLOR: "1" },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writing = new Blob([input]).stream().pipeTo(child.stdin);
  const [{ success, stdout, stderr }] = await Promise.all([child.output(), writing]);
  const decoder = new TextDecoder();
  return { success, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}
