import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

export type ScriptedServer = {
  port: number;
  /** The received commands, in order, without their arguments. */
  commands: string[];
  close(): Promise<void>;
};

/**
 * Opens a server on 127.0.0.1 that sends a fixed greeting and fixed responses, for those that no real mail server
 * sends. Commands without a response get 250.
 */
export async function openScriptedServer(
  greeting: string,
  responses: Record<string, string> = {},
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
      socket.write(`${responses[command] ?? '250 ok'}\r\n`);
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
