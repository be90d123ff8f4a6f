import { type CommandSpec, declared, optionsOf } from "./command_line.ts";
import { GROUPS } from "./help_text.ts";

/** What may be written for a value: words, and whether paths are offered too. */
interface Offered {
  readonly words: readonly string[];
  readonly paths: "none" | "files" | "folders";
}

/** A command as it is completed. */
interface Completed {
  /** Its words: `notebook new`; a group of commands and `help` have one and no options. */
  readonly name: string;
  readonly text: string;
  /** Its options; the value is `null` if they take none. */
  readonly options: readonly {
    readonly name: string;
    readonly text: string;
    readonly value: Offered | null;
  }[];
  /** What may be written for its arguments. */
  readonly argument: Offered;
}

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** Completions of some commands for a shell, to be sourced. */
export async function completionsOf(
  specs: readonly CommandSpec[],
  shell: keyof typeof SCRIPTS,
): Promise<string> {
  const commands: Completed[] = [];
  for (const spec of specs) commands.push(await completed(spec));
  const groups = Map.groupBy(
    commands.filter(({ name }) => name.includes(" ")),
    ({ name }) => name.split(" ")[0]!,
  );
  for (const [name, members] of groups) {
    const words = members.map((member) => member.name.split(" ")[1]!);
    commands.push({ name, text: GROUPS[name] ?? "", options: [], argument: only(words) });
  }
  const first = commands.filter(({ name }) => !name.includes(" "));
  const help = only(first.map(({ name }) => name));
  commands.push({ name: "help", text: "Print help for a command", options: [], argument: help });
  return SCRIPTS[shell](commands);
}

async function completed(spec: CommandSpec): Promise<Completed> {
  const options = [];
  for (const [flags, text] of Object.entries(optionsOf(spec))) {
    const { name, value } = declared(flags);
    options.push({ name, text, value: value === null ? null : await offered(value) });
  }
  options.push({ name: "--help", text: "print this help", value: null });
  const [argument = ""] = Object.keys(spec.arguments ?? {});
  const { value } = declared(argument);
  return { name: spec.name, text: spec.summary, options, argument: await offered(value ?? "") };
}

function only(words: readonly string[], paths: Offered["paths"] = "none"): Offered {
  return { words, paths };
}

/** What may be written for a value of this name. */
async function offered(value: string): Promise<Offered> {
  switch (value) {
    case "file":
    case "path":
      return only([], "files");
    case "folder":
    case "folders":
      return only([], "folders");
    case "network": {
      const { NETWORKS } = await import("../../networks/networks.ts");
      return only(Object.keys(NETWORKS));
    }
    case "recording": {
      const { shippedRecordings } = await import("../../recordings/shipped_recordings.ts");
      return only(await shippedRecordings(), "files");
    }
    case "tables": {
      const { TABLE_NAMES } = await import("./command_line.ts");
      return only(TABLE_NAMES);
    }
    default:
      return only(value.includes("|") ? value.split("|") : []);
  }
}

function firstWords(commands: readonly Completed[]): Completed[] {
  return commands.filter(({ name }) => !name.includes(" "));
}

function bashScript(commands: readonly Completed[]): string {
  const first = firstWords(commands).map(({ name }) => name).join(" ");
  const pairs = commands.flatMap(({ name }) => name.includes(" ") ? `'${name}'` : []).join("|");
  const values = commands.flatMap(({ name, options }) =>
    options.flatMap((option) =>
      option.value === null
        ? []
        : `    '${name} ${option.name}') ${bashReply(option.value)} return ;;`
    )
  );
  const words = commands.map(({ name, options, argument }) => {
    const names = options.map((option) => option.name).join(" ");
    return `    '${name}')
      case "$current" in
        -*) COMPREPLY=($(compgen -W '${names}' -- "$current")) ;;
        *) ${bashReply(argument)} ;;
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

function bashReply({ words, paths }: Offered): string {
  const kinds = { none: "", files: "-f ", folders: "-d " };
  if (words.length === 0 && paths === "none") return "COMPREPLY=();";
  const list = words.length === 0 ? "" : `-W '${words.join(" ")}' `;
  const names = paths === "none" ? "" : "compopt -o filenames 2>/dev/null; ";
  return `${names}COMPREPLY=($(compgen ${kinds[paths]}${list}-- "$current"));`;
}

function fishScript(commands: readonly Completed[]): string {
  const lines = commands.flatMap(({ name, text, options, argument }) => {
    const seen = name.split(" ").map((word) => `__fish_seen_subcommand_from ${word}`);
    // Of a group, until one of its commands is there.
    const isGroup = name === "help" || name in GROUPS;
    if (isGroup) seen.push(`not __fish_seen_subcommand_from ${argument.words.join(" ")}`);
    const begin = `complete -c orderlens -n ${fishQuoted(seen.join("; and "))}`;
    return [
      ...name.includes(" ")
        ? []
        : [`complete -c orderlens -n __fish_use_subcommand -a ${name} -d ${fishQuoted(text)}`],
      ...fishOffer(argument) === "" ? [] : [`${begin} ${fishOffer(argument)}`],
      ...options.map((option) =>
        `${begin} -l ${option.name.slice(2)}${
          option.value === null ? "" : ` -x ${fishOffer(option.value)}`
        } -d ${fishQuoted(option.text)}`
      ),
    ];
  });
  return `# Completions of orderlens for fish, from: orderlens completions fish
complete -c orderlens -f
${lines.join("\n")}
`;
}

function fishOffer({ words, paths }: Offered): string {
  const found = {
    none: [],
    files: ["(__fish_complete_path)"],
    folders: ["(__fish_complete_directories)"],
  };
  const offers = [...words, ...found[paths]];
  return offers.length === 0 ? "" : `-a ${fishQuoted(offers.join(" "))}`;
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

function zshScript(commands: readonly Completed[]): string {
  const first = firstWords(commands).map(({ name, text }) => `      ${quoted(`${name}:${text}`)}`);
  const pairs = commands.flatMap(({ name }) => name.includes(" ") ? `'${name}'` : []).join("|");
  const cases = commands.map(({ name, options, argument }) => {
    const lines = [...options.map(zshOption), `'*:argument:${zshAction(argument)}'`];
    return `    (${quoted(name)}) _arguments ${lines.join(" \\\n      ")} ;;`;
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

function zshOption({ name, text, value }: Completed["options"][number]): string {
  const told = text.replaceAll(/[[\]:]/g, (letter) => `\\${letter}`);
  return quoted(
    value === null ? `${name}[${told}]` : `${name}=[${told}]:value:${zshAction(value)}`,
  );
}

function zshAction({ words, paths }: Offered): string {
  if (words.length > 0) return `(${words.join(" ")})`;
  return { none: " ", files: "_files", folders: "_files -/" }[paths];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
