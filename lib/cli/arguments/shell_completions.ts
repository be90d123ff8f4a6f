import type {
  CompletedCommand,
  CompletedOption,
  CompletionTree,
  Offered,
} from "./completion_tree.ts";

/** Completions for bash, to be sourced. */
export function bashCompletions({ firstWords, groups, commands }: CompletionTree): string {
  const names = [...groups.keys()];
  return `# Completions of orderlens for bash, from: orderlens completions bash
_orderlens() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}
  local command=\${COMP_WORDS[1]}
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${
    firstWords.map(({ name }) => name).join(" ")
  } --help --version' -- "$current"))
    return
  fi
${names.map((name) => bashGroup(name, groups.get(name) ?? [])).join("")}\
  if [ "$command" = help ]; then
    COMPREPLY=($(compgen -W '${firstWords.map(({ name }) => name).join(" ")}' -- "$current"))
    return
  fi
  case "$command $previous" in
${commands.map(ofValues).join("")}\
  esac
  case "$command" in
${commands.map(bashCommand).join("")}\
  esac
}
complete -F _orderlens orderlens
`;
}

function bashGroup(name: string, commands: readonly CompletedCommand[]): string {
  const words = commands.map((command) => command.name.split(" ")[1]).join(" ");
  return `\
  if [ "$command" = ${name} ]; then
    if [ "$COMP_CWORD" -eq 2 ]; then
      COMPREPLY=($(compgen -W '${words}' -- "$current"))
      return
    fi
    command="${name} \${COMP_WORDS[2]}"
  fi
`;
}

function ofValues({ name, options }: CompletedCommand): string {
  return options.map((option) =>
    option.value === null
      ? ""
      : `    '${name} ${option.name}') ${replyOf(option.value)} return ;;\n`
  ).join("");
}

function bashCommand({ name, options, argument }: CompletedCommand): string {
  const words = options.map((option) => option.name).join(" ");
  return `\
    '${name}')
      case "$current" in
        -*) COMPREPLY=($(compgen -W '${words}' -- "$current")) ;;
        *) ${replyOf(argument)} ;;
      esac ;;
`;
}

function replyOf({ words, paths }: Offered): string {
  const kinds = { none: "", files: "-f ", folders: "-d " };
  if (words.length === 0 && paths === "none") return "COMPREPLY=();";
  const list = words.length === 0 ? "" : `-W '${words.join(" ")}' `;
  const names = paths === "none" ? "" : "compopt -o filenames 2>/dev/null; ";
  return `${names}COMPREPLY=($(compgen ${kinds[paths]}${list}-- "$current"));`;
}

/** Completions for fish, to be sourced. */
export function fishCompletions({ firstWords, groups, commands }: CompletionTree): string {
  const first = firstWords.map(({ name, text }) =>
    `complete -c orderlens -n __fish_use_subcommand -a ${name} -d ${fishQuoted(text)}`
  );
  const second = [...groups].flatMap(([group, members]) =>
    members.map(({ name, text }) => {
      const words = members.map((member) => member.name.split(" ")[1]).join(" ");
      const isAsked = `__fish_seen_subcommand_from ${group}; and not ` +
        `__fish_seen_subcommand_from ${words}`;
      return `complete -c orderlens -n ${fishQuoted(isAsked)} -a ${name.split(" ")[1]} -d ${
        fishQuoted(text)
      }`;
    })
  );
  return [
    "# Completions of orderlens for fish, from: orderlens completions fish",
    "complete -c orderlens -f",
    ...first,
    ...second,
    ...commands.flatMap(fishCommand),
    "",
  ].join("\n");
}

function fishCommand({ name, options, argument }: CompletedCommand): string[] {
  const isAsked = name.split(" ").map((word) => `__fish_seen_subcommand_from ${word}`)
    .join("; and ");
  const begin = `complete -c orderlens -n ${fishQuoted(isAsked)}`;
  return [
    ...argument.words.length === 0 && argument.paths === "none"
      ? []
      : [`${begin} ${offerOf(argument)}`],
    ...options.map((option) =>
      `${begin} -l ${option.name.slice(2)}${
        option.value === null ? "" : ` -x ${offerOf(option.value)}`
      }` +
      ` -d ${fishQuoted(option.text)}`
    ),
  ];
}

function offerOf({ words, paths }: Offered): string {
  const found = {
    none: "",
    files: "(__fish_complete_path)",
    folders: "(__fish_complete_directories)",
  };
  const offers = [...words, found[paths]].filter((word) => word !== "");
  return offers.length === 0 ? "" : `-a ${fishQuoted(offers.join(" "))}`;
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

/** Completions for zsh: a file of the function path, or to be sourced. */
export function zshCompletions({ firstWords, groups, commands }: CompletionTree): string {
  return `#compdef orderlens
# Completions of orderlens for zsh, from: orderlens completions zsh
_orderlens() {
  local command=$words[2]
  if (( CURRENT == 2 )); then
    local -a first=(
${firstWords.map(({ name, text }) => `      ${quoted(`${name}:${text}`)}\n`).join("")}\
    )
    _describe command first
    return
  fi
  local -i skipped=1
${[...groups].map(([name, members]) => ofGroup(name, members)).join("")}\
  words=("\${(@)words[skipped+1,-1]}")
  (( CURRENT -= skipped ))
  case $command in
${commands.map(ofCommand).join("")}\
  esac
}
if [ "$funcstack[1]" = _orderlens ]; then _orderlens "$@"; else compdef _orderlens orderlens; fi
`;
}

function ofGroup(name: string, members: readonly CompletedCommand[]): string {
  const lines = members.map((command) =>
    `        ${quoted(`${command.name.split(" ")[1]}:${command.text}`)}\n`
  );
  return `\
  if [ "$command" = ${name} ]; then
    if (( CURRENT == 3 )); then
      local -a second=(
${lines.join("")}\
      )
      _describe command second
      return
    fi
    command="${name} $words[3]"
    skipped=2
  fi
`;
}

function ofCommand({ name, options, argument }: CompletedCommand): string {
  const lines = [...options.map(ofOption), `'*:argument:${actionOf(argument)}'`];
  return `    (${quoted(name)}) _arguments \\\n${
    lines.map((line) => `      ${line}`).join(" \\\n")
  } ;;\n`;
}

function ofOption({ name, text, value }: CompletedOption): string {
  const told = text.replaceAll(/[[\]:]/g, (letter) => `\\${letter}`);
  return quoted(value === null ? `${name}[${told}]` : `${name}=[${told}]:value:${actionOf(value)}`);
}

function actionOf({ words, paths }: Offered): string {
  const found = paths === "none" ? "" : paths === "files" ? "_files" : "_files -/";
  if (words.length === 0) return found === "" ? " " : found;
  return `(${words.join(" ")})`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
