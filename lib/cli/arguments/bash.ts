import type { CompletedCommand, CompletionTree, Offered } from "./completion_tree.ts";

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
${names.map((name) => ofGroup(name, groups.get(name) ?? [])).join("")}\
  if [ "$command" = help ]; then
    COMPREPLY=($(compgen -W '${firstWords.map(({ name }) => name).join(" ")}' -- "$current"))
    return
  fi
  case "$command $previous" in
${commands.map(ofValues).join("")}\
  esac
  case "$command" in
${commands.map(ofCommand).join("")}\
  esac
}
complete -F _orderlens orderlens
`;
}

function ofGroup(name: string, commands: readonly CompletedCommand[]): string {
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

function ofCommand({ name, options, argument }: CompletedCommand): string {
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
