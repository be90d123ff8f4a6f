import type { CompletedCommand, CompletionTree, Offered } from "./completion_tree.ts";

/** Completions for fish, to be sourced. */
export function fishCompletions({ firstWords, groups, commands }: CompletionTree): string {
  const first = firstWords.map(({ name, text }) =>
    `complete -c orderlens -n __fish_use_subcommand -a ${name} -d ${quoted(text)}`
  );
  const second = [...groups].flatMap(([group, members]) =>
    members.map(({ name, text }) => {
      const words = members.map((member) => member.name.split(" ")[1]).join(" ");
      const isAsked = `__fish_seen_subcommand_from ${group}; and not ` +
        `__fish_seen_subcommand_from ${words}`;
      return `complete -c orderlens -n ${quoted(isAsked)} -a ${name.split(" ")[1]} -d ${
        quoted(text)
      }`;
    })
  );
  return [
    "# Completions of orderlens for fish, from: orderlens completions fish",
    "complete -c orderlens -f",
    ...first,
    ...second,
    ...commands.flatMap(ofCommand),
    "",
  ].join("\n");
}

function ofCommand({ name, options, argument }: CompletedCommand): string[] {
  const isAsked = name.split(" ").map((word) => `__fish_seen_subcommand_from ${word}`)
    .join("; and ");
  const begin = `complete -c orderlens -n ${quoted(isAsked)}`;
  return [
    ...argument.words.length === 0 && argument.paths === "none"
      ? []
      : [`${begin} ${offerOf(argument)}`],
    ...options.map((option) =>
      `${begin} -l ${option.name.slice(2)}${
        option.value === null ? "" : ` -x ${offerOf(option.value)}`
      }` +
      ` -d ${quoted(option.text)}`
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
  return offers.length === 0 ? "" : `-a ${quoted(offers.join(" "))}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
