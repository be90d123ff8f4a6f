/**
 * Enforces the rules of the rooms in `lib/`.
 *
 * `rooms/imports` rejects imports of later rooms, and of later folders of the same room, packages
 * outside their room, and computed specifiers; `rooms/effects` rejects side effects outside their
 * room; `rooms/named-exports` rejects `export *`; `rooms/known` rejects files in unknown rooms and
 * folders. Files outside `lib/` are ignored.
 *
 * @module
 */
import { GlobalNames } from "./global_names.ts";
import { readPackageName } from "./package_of.ts";
import { type FileLocation, locateFile, resolveFrom } from "./file_location.ts";
import { covers, EFFECTS, type Room, ROOMS } from "./rooms.ts";

/** A violation and its remedy. */
interface Violation {
  message: string;
  hint: string;
}

/** The file that is checked. */
interface CheckedFile {
  /** Its name in messages: `lib/units/` or `lib/mod.ts`. */
  name: string;
  /** Its room; the front door is in none. */
  room: Room | undefined;
  /** Its folder in the room; empty in the room itself. */
  folder: string;
  /** Rooms it may import. */
  mayImport: readonly Room[];
}

const WATCHED = new Set([...EFFECTS].map((effect) => effect.split(".", 1)[0] ?? effect));

function toCheckedFile(filename: string): CheckedFile | undefined {
  const location = locateFile(filename);
  if (location.kind === "front door") {
    const mayImport = ROOMS.filter((room) => !room.behindItsOwnDoor);
    return { name: "lib/mod.ts", room: undefined, folder: "", mayImport };
  }
  if (location.kind !== "room") return undefined;
  const index = ROOMS.findIndex((room) => room.name === location.room);
  return {
    name: `lib/${location.room}/`,
    room: ROOMS[index],
    folder: location.folder,
    mayImport: ROOMS.slice(0, index),
  };
}

function listed(rooms: readonly Room[]): string {
  return rooms.map((room) => room.name).join(", ") || "no other room";
}

function owners(owns: (room: Room) => boolean): string {
  return ROOMS.filter(owns).map((room) => `lib/${room.name}/`).join(" or ");
}

/** A part of a package, such as `hono/html`, may have a room of its own. */
function isOwnedItself(specifier: string): boolean {
  return ROOMS.some(({ packages }) => packages?.includes(specifier));
}

function checkImport(
  file: CheckedFile,
  filename: string,
  specifier: string,
): Violation | undefined {
  return /^\.\.?(?:\/|$)/.test(specifier)
    ? checkRelative(file, resolveFrom(filename, specifier))
    : checkPackage(file, isOwnedItself(specifier) ? specifier : readPackageName(specifier));
}

function checkRelative(file: CheckedFile, path: string): Violation | undefined {
  const { name, room, mayImport } = file;
  const to = locateFile(path);
  const may = `${name} may import: ${listed(mayImport)}.`;
  switch (to.kind) {
    case "front door":
      return {
        message: `${name} imports lib/mod.ts, which imports every room`,
        hint: `${may} Import the file that defines the name.`,
      };
    case "stray":
      return {
        message: `${name} imports ${to.path}, which is in no room`,
        hint: `${may} Move that file into a room of tools/lint/rooms.ts.`,
      };
    case "outside":
      if (room?.facts?.includes(to.path)) return undefined;
      return {
        message: `${name} imports a file outside lib/`,
        hint: `${may} Move what it needs into a room, or take it as an argument.`,
      };
  }
  if (to.room === room?.name) return checkFolder(file, to.folder);
  if (mayImport.some((otherRoom) => otherRoom.name === to.room)) return undefined;
  if (room === undefined) {
    return {
      message: `${name} imports lib/${to.room}/, which is an entry point of its own`,
      hint: `${may} Importing the front door must stay light and need no permission.`,
    };
  }
  return {
    message: `${name} imports lib/${to.room}/, which comes after it in the order of rooms`,
    hint:
      `${may} Move the line to lib/${to.room}/ or below, or move what both need to a room above ${name}.`,
  };
}

/** Checks an import of another folder of the same room. */
function checkFolder({ name, room, folder }: CheckedFile, other: string): Violation | undefined {
  const folders = room?.folders ?? [];
  const position = folders.indexOf(folder);
  if (position === -1 || folders.indexOf(other) <= position) return undefined;
  const above = folders.slice(0, position).join(", ") || "no other folder";
  return {
    message: `${name}${folder}/ imports ${name}${other}/, ` +
      `which comes after it in the order of folders`,
    hint:
      `In its room, ${name}${folder}/ may import: ${above}. Move the line to ${name}${other}/ ` +
      `or below, or what both need above ${name}${folder}/.`,
  };
}

/** Checks that the folder of a file is one of its room. */
function checkKnown(location: FileLocation): Violation | undefined {
  if (location.kind === "stray") {
    return {
      message: `${location.path} is in no room`,
      hint: `The rooms of lib/ are: ${listed(ROOMS)}. They are listed in tools/lint/rooms.ts.`,
    };
  }
  if (location.kind !== "room" || location.folder === "") return undefined;
  const { room, folder } = location;
  const folders = ROOMS.find(({ name }) => name === room)?.folders ?? [];
  if (folders.includes(folder)) return undefined;
  return {
    message: `lib/${room}/${folder}/ is no folder of lib/${room}/`,
    hint: `Its folders are: ${folders.join(", ") || "none"}. Add it to \`folders\` of ` +
      `${room} in tools/lint/rooms.ts, above each folder that imports it.`,
  };
}

function checkPackage({ name, room }: CheckedFile, wanted: string): Violation | undefined {
  if (room?.packages?.includes(wanted)) return undefined;
  const may = `${name} may import these packages: ${room?.packages?.join(", ") ?? "none"}.`;
  if (wanted === "orderlens") {
    return {
      message: `${name} imports orderlens, which is the library itself`,
      hint: `${may} Import the file by its relative path.`,
    };
  }
  const owner = owners((otherRoom) => otherRoom.packages?.includes(wanted) ?? false);
  return owner === ""
    ? {
      message: `${name} imports ${wanted}, which no room owns`,
      hint: `${may} Remove the import, or assign the package to one room in tools/lint/rooms.ts.`,
    }
    : {
      message: `${name} imports ${wanted}, which belongs to ${owner}`,
      hint: `${may} Move the line to ${owner}, or take its result as an argument.`,
    };
}

function checkEffect({ name, room }: CheckedFile, used: string): Violation | undefined {
  if (!covers(EFFECTS, used) || covers(room?.effects ?? [], used)) return undefined;
  const may = `${name} may use these effects: ${room?.effects?.join(", ") ?? "none"}.`;
  const owner = owners((otherRoom) => covers(otherRoom.effects ?? [], used));
  return owner === ""
    ? {
      message: `${name} uses ${used}, which no room may`,
      hint: `${may} Take its result as an argument, or name the member that is needed.`,
    }
    : {
      message: `${name} uses ${used}, which belongs to ${owner}`,
      hint: `${may} Move the line to ${owner}, or take its result as an argument.`,
    };
}

/** The text of a specifier; `undefined` if it is computed. */
function readSpecifier(node: Deno.lint.Node): string | undefined {
  if (node.type === "TSLiteralType") return readSpecifier(node.literal);
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : undefined;
  if (node.type === "TemplateLiteral" && node.expressions.length === 0) {
    return node.quasis[0]?.cooked;
  }
  return undefined;
}

const plugin: Deno.lint.Plugin = {
  name: "rooms",
  rules: {
    "known": {
      create(context) {
        const violation = checkKnown(locateFile(context.filename));
        if (violation === undefined) return {};
        return { Program: (node) => context.report({ node, ...violation }) };
      },
    },
    "imports": {
      create(context) {
        const file = toCheckedFile(context.filename);
        if (file === undefined) return {};
        function check(node: Deno.lint.Node, source: Deno.lint.Node | null): void {
          if (file === undefined || source === null) return;
          const specifier = readSpecifier(source);
          const violation = specifier === undefined
            ? {
              message: `${file.name} imports what it names only at run time`,
              hint: "Write the specifier as plain text, so that its room is known.",
            }
            : checkImport(file, context.filename, specifier);
          if (violation !== undefined) context.report({ node, ...violation });
        }
        return {
          ImportDeclaration: (node) => check(node, node.source),
          ExportAllDeclaration: (node) => check(node, node.source),
          ExportNamedDeclaration: (node) => check(node, node.source),
          ImportExpression: (node) => check(node, node.source),
          TSImportType: (node) => check(node, node.argument),
          TSExternalModuleReference: (node) => check(node, node.expression),
        };
      },
    },
    "effects": {
      create(context) {
        const file = toCheckedFile(context.filename);
        if (file === undefined) return {};
        const names = new GlobalNames(WATCHED);
        return {
          Identifier: (node) => names.add(node),
          "Program:exit"() {
            for (const { node, name } of names) {
              const violation = checkEffect(file, name);
              if (violation !== undefined) context.report({ node, ...violation });
            }
          },
        };
      },
    },
    "named-exports": {
      create(context) {
        if (toCheckedFile(context.filename) === undefined) return {};
        return {
          ExportAllDeclaration(node) {
            context.report({
              node,
              message: "`export *` hides what is exported",
              hint: "List the exports by name, so that everything public is public on purpose.",
            });
          },
        };
      },
    },
  },
};

export default plugin;
