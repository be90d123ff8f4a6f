// Lists the tools of a server and calls each of those that a line of stdin names, with its input, and
// prints what came; the words after its own start the server.
import { createMCPClient } from "@ai-sdk/mcp";
import { StdioMCPTransport } from "@ai-sdk/mcp/mcp-stdio";
import { text } from "node:stream/consumers";

const [command, ...args] = process.argv.slice(2);
const client = await createMCPClient({ transport: new StdioMCPTransport({ command, args }) });
const tools = await client.tools();
const calls = JSON.parse(await text(process.stdin));
const answers = [];
for (const [name, input] of calls) {
  answers.push(await tools[name].execute(input, { toolCallId: name, messages: [] }));
}
process.stdout.write(JSON.stringify({ names: Object.keys(tools), answers }));
await client.close();
