import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

export type ScriptedServer = {
  port: number;
  /** The commands that came in, in order, without what follows their first word. */
  commands: string[];
  close(): Promise<void>;
};

/**
 * A server on 127.0.0.1 that greets and answers word for word as it is told: for what no well-behaved mail
 * server says. Commands without an answer get 250.
 */
export async function openScriptedServer(
  greeting: string,
  answers: Record<string, string> = {},
): Promise<ScriptedServer> {
  const commands: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.write(`${greeting}\r\n`);
    createInterface(socket).on('line', (line) => {
      const command = line.split(' ', 1)[0]!;
      commands.push(command);
      socket.write(`${answers[command] ?? '250 ok'}\r\n`);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    commands,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
