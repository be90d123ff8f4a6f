import type {
  CompletedCommand,
  CompletedOption,
  CompletionTree,
  Offered,
} from "./completion_tree.ts";

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
