import { type CommandSpec, listOptions, parseDeclaration } from "./command_line.ts";
import { GROUPS } from "./help_text.ts";

/** Suggestions for a value: words, and whether paths are suggested too. */
interface Suggestions {
  readonly words: readonly string[];
  readonly paths: "none" | "files" | "folders";
}

/** Completion of a command. */
interface CommandCompletion {
  /** Its words: `notebook new`; a group of commands and `help` have one word and no options. */
  readonly name: string;
  readonly text: string;
  /** Its options; the value is `null` for flags. */
  readonly options: readonly {
    readonly name: string;
    readonly text: string;
    readonly value: Suggestions | null;
  }[];
  readonly argument: Suggestions;
}

const SCRIPTS = { bash: formatBash, zsh: formatZsh, fish: formatFish } as const;

/** Generates the completions of commands for a shell, to be sourced. */
export async function generateCompletions(
  specs: readonly CommandSpec[],
  shell: keyof typeof SCRIPTS,
): Promise<string> {
  const commands: CommandCompletion[] = [];
  for (const spec of specs) commands.push(await describeCommand(spec));
  const groups = Map.groupBy(
    commands.filter(({ name }) => name.includes(" ")),
    ({ name }) => name.split(" ")[0]!,
  );
  for (const [name, members] of groups) {
    const words = members.map((member) => member.name.split(" ")[1]!);
    commands.push({ name, text: GROUPS[name] ?? "", options: [], argument: suggest(words) });
  }
  const first = commands.filter(({ name }) => !name.includes(" "));
  const help = suggest(first.map(({ name }) => name));
  commands.push({ name: "help", text: "Print help for a command", options: [], argument: help });
  return SCRIPTS[shell](commands);
}

async function describeCommand(spec: CommandSpec): Promise<CommandCompletion> {
  const options = [];
  for (const [flags, text] of Object.entries(listOptions(spec))) {
    const { name, value } = parseDeclaration(flags);
    options.push({ name, text, value: value === null ? null : await suggestValues(value) });
  }
  options.push({ name: "--help", text: "print this help", value: null });
  const [argument = ""] = Object.keys(spec.arguments ?? {});
  const { value } = parseDeclaration(argument);
  return {
    name: spec.name,
    text: spec.summary,
    options,
    argument: await suggestValues(value ?? ""),
  };
}

function suggest(words: readonly string[], paths: Suggestions["paths"] = "none"): Suggestions {
  return { words, paths };
}

/** Suggests values by the name of the value in its declaration. */
async function suggestValues(value: string): Promise<Suggestions> {
  switch (value) {
    case "file":
    case "path":
      return suggest([], "files");
    case "folder":
    case "folders":
      return suggest([], "folders");
    case "network": {
      const { NETWORKS } = await import("../../networks/networks.ts");
      return suggest(Object.keys(NETWORKS));
    }
    case "recording": {
      const { shippedRecordings } = await import("../../recordings/shipped_recordings.ts");
      return suggest(await shippedRecordings(), "files");
    }
    case "tables": {
      const { TABLE_NAMES } = await import("./command_line.ts");
      return suggest(TABLE_NAMES);
    }
    default:
      return suggest(value.includes("|") ? value.split("|") : []);
  }
}

function listTopLevel(commands: readonly CommandCompletion[]): CommandCompletion[] {
  return commands.filter(({ name }) => !name.includes(" "));
}

function formatBash(commands: readonly CommandCompletion[]): string {
  const first = listTopLevel(commands).map(({ name }) => name).join(" ");
  const pairs = commands.flatMap(({ name }) => name.includes(" ") ? `'${name}'` : []).join("|");
  const values = commands.flatMap(({ name, options }) =>
    options.flatMap((option) =>
      option.value === null
        ? []
        : `    '${name} ${option.name}') ${formatBashReply(option.value)} return ;;`
    )
  );
  const words = commands.map(({ name, options, argument }) => {
    const names = options.map((option) => option.name).join(" ");
    return `    '${name}')
      case "$current" in
        -*) COMPREPLY=($(compgen -W '${names}' -- "$current")) ;;
        *) ${formatBashReply(argument)} ;;
      esac ;;`;
  });
  return `# Completions of orderlens for bash, from: orderlens completions bash
_orderlens() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}
  local command=\${COMP_WORDS[1]}
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${first} --help --version' -- "$current"))
    return
  fi
  if [ "$COMP_CWORD" -gt 2 ]; then
    case "$command \${COMP_WORDS[2]}" in ${pairs}) command="$command \${COMP_WORDS[2]}" ;; esac
  fi
  case "$command $previous" in
${values.join("\n")}
  esac
  case "$command" in
${words.join("\n")}
  esac
}
complete -F _orderlens orderlens
`;
}

function formatBashReply({ words, paths }: Suggestions): string {
  const kinds = { none: "", files: "-f ", folders: "-d " };
  if (words.length === 0 && paths === "none") return "COMPREPLY=();";
  const list = words.length === 0 ? "" : `-W '${words.join(" ")}' `;
  const names = paths === "none" ? "" : "compopt -o filenames 2>/dev/null; ";
  return `${names}COMPREPLY=($(compgen ${kinds[paths]}${list}-- "$current"));`;
}

function formatFish(commands: readonly CommandCompletion[]): string {
  const lines = commands.flatMap(({ name, text, options, argument }) => {
    const conditions = name.split(" ").map((word) => `__fish_seen_subcommand_from ${word}`);
    // A group is completed until one of its commands is written.
    const isGroup = name === "help" || name in GROUPS;
    if (isGroup) conditions.push(`not __fish_seen_subcommand_from ${argument.words.join(" ")}`);
    const begin = `complete -c orderlens -n ${quoteFish(conditions.join("; and "))}`;
    return [
      ...name.includes(" ")
        ? []
        : [`complete -c orderlens -n __fish_use_subcommand -a ${name} -d ${quoteFish(text)}`],
      ...formatFishArgument(argument) === "" ? [] : [`${begin} ${formatFishArgument(argument)}`],
      ...options.map((option) =>
        `${begin} -l ${option.name.slice(2)}${
          option.value === null ? "" : ` -x ${formatFishArgument(option.value)}`
        } -d ${quoteFish(option.text)}`
      ),
    ];
  });
  return `# Completions of orderlens for fish, from: orderlens completions fish
complete -c orderlens -f
${lines.join("\n")}
`;
}

function formatFishArgument({ words, paths }: Suggestions): string {
  const pathWords = {
    none: [],
    files: ["(__fish_complete_path)"],
    folders: ["(__fish_complete_directories)"],
  };
  const suggestions = [...words, ...pathWords[paths]];
  return suggestions.length === 0 ? "" : `-a ${quoteFish(suggestions.join(" "))}`;
}

function quoteFish(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

function formatZsh(commands: readonly CommandCompletion[]): string {
  const first = listTopLevel(commands).map(({ name, text }) =>
    `      ${quoteZsh(`${name}:${text}`)}`
  );
  const pairs = commands.flatMap(({ name }) => name.includes(" ") ? `'${name}'` : []).join("|");
  const cases = commands.map(({ name, options, argument }) => {
    const lines = [...options.map(formatZshOption), `'*:argument:${formatZshAction(argument)}'`];
    return `    (${quoteZsh(name)}) _arguments ${lines.join(" \\\n      ")} ;;`;
  });
  return `#compdef orderlens
# Completions of orderlens for zsh, from: orderlens completions zsh
_orderlens() {
  local command=$words[2]
  if (( CURRENT == 2 )); then
    local -a first=(
${first.join("\n")}
    )
    _describe command first
    return
  fi
  local -i skipped=1
  if (( CURRENT > 3 )); then
    case "$command $words[3]" in (${pairs}) command="$command $words[3]"; skipped=2 ;; esac
  fi
  words=("\${(@)words[skipped+1,-1]}")
  (( CURRENT -= skipped ))
  case $command in
${cases.join("\n")}
  esac
}
if [ "$funcstack[1]" = _orderlens ]; then _orderlens "$@"; else compdef _orderlens orderlens; fi
`;
}

function formatZshOption({ name, text, value }: CommandCompletion["options"][number]): string {
  const description = text.replaceAll(/[[\]:]/g, (letter) => `\\${letter}`);
  return quoteZsh(
    value === null
      ? `${name}[${description}]`
      : `${name}=[${description}]:value:${formatZshAction(value)}`,
  );
}

function formatZshAction({ words, paths }: Suggestions): string {
  if (words.length > 0) return `(${words.join(" ")})`;
  return { none: " ", files: "_files", folders: "_files -/" }[paths];
}

function quoteZsh(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
