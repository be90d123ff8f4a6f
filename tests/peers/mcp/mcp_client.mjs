/**
 * A program that lists the tools of a server and calls each that its input names, with its input, and
 * prints what came; the words after its own start the server.
 *
 * @module
 */
import process from "node:process";
import { text } from "node:stream/consumers";

/** Not in the project's own import map, so that nothing but this program asks for it. */
const PACKAGE = "@ai-sdk/mcp";
const { createMCPClient } = await import(PACKAGE);
const { StdioMCPTransport } = await import(`${PACKAGE}/mcp-stdio`);

const [command, ...args] = process.argv.slice(2);
const client = await createMCPClient({ transport: new StdioMCPTransport({ command, args }) });
const tools = await client.tools();
const answers = [];
for (const [name, input] of JSON.parse(await text(process.stdin))) {
  answers.push(await tools[name].execute(input, { toolCallId: name, messages: [] }));
}
process.stdout.write(JSON.stringify({ names: Object.keys(tools), answers }));
await client.close();
