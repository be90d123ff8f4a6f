import { EXIT } from "../terminal/exit_code.ts";
import type { CommandSpec } from "../words/command_spec.ts";
import { unknownWord } from "../words/usage_error.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;

/** `orderlens completions` */
export const COMPLETIONS: CommandSpec = {
  name: "completions",
  summary: "Print completions of commands, options and values for a shell",
  arguments: [{ name: "<shell>", text: "bash, zsh or fish", values: SHELLS }],
  examples: [
    {
      words: "completions bash > ~/.local/share/bash-completion/completions/orderlens",
      text: "bash",
    },
    { words: 'completions zsh > "${fpath[1]}/_orderlens"', text: "zsh" },
    { words: "completions fish > ~/.config/fish/completions/orderlens.fish", text: "fish" },
  ],
  permissions: [],
  async run(session, given) {
    const shell = given.word(0);
    const { completionTree } = await import("../completions/completion_tree.ts");
    const { COMMANDS } = await import("./commands.ts");
    const { bashCompletions } = await import("../completions/bash.ts");
    const { zshCompletions } = await import("../completions/zsh.ts");
    const { fishCompletions } = await import("../completions/fish.ts");
    const write = { bash: bashCompletions, zsh: zshCompletions, fish: fishCompletions };
    if (shell !== "bash" && shell !== "zsh" && shell !== "fish") {
      throw unknownWord({ what: `${given.cannot} ${shell}`, noun: "shell", word: shell }, SHELLS);
    }
    const script = write[shell](await completionTree(COMMANDS)).trimEnd();
    if (session.isJson) session.printJson("completions", { shell, script });
    else session.print(script);
    return EXIT.done;
  },
};
