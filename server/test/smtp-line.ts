import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/**
 * Points at which an SMTP connection can be cut. After a command the server has received it and its response is lost,
 * so that only the server knows the result.
 */
export const SMTP_POINTS = [
  'connected',
  'greeted',
  'EHLO',
  'STARTTLS',
  'AUTH',
  'MAIL',
  'RCPT',
  'DATA',
  /** In the middle of the message. */
  'content',
  /** After the whole message, before the response. */
  'dot',
  /** After the response to the message was delivered. */
  'answered',
  'QUIT',
] as const;
export type SmtpPoint = (typeof SMTP_POINTS)[number];

export type SmtpLine = {
  port: number;
  /** Called at each point; 'cut' ends the connection there. */
  watch(at: (point: SmtpPoint) => 'cut' | undefined): void;
  close(): Promise<void>;
};

const END = '\r\n.\r\n';

const isPoint = (command: string): command is SmtpPoint =>
  (SMTP_POINTS as readonly string[]).includes(command);

/** Starts a proxy to a local mail server that parses the conversation until it is encrypted. */
export async function openSmtpLine(toPort: number): Promise<SmtpLine> {
  let at: (point: SmtpPoint) => 'cut' | undefined = () => undefined;
  const sockets = new Set<Socket>();

  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ port: toPort, host: '127.0.0.1', noDelay: true });
    for (const end of [near, far]) {
      sockets.add(end);
      end
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(end);
          near.destroySoon();
          far.destroySoon();
        });
    }
    relay(near, far, (point) => at(point) === 'cut');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    port: (server.address() as { port: number }).port,
    watch: (next) => void (at = next),
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Relays one connection, as latin1 so that bytes stay unchanged. */
function relay(near: Socket, far: Socket, endsAt: (point: SmtpPoint) => boolean): void {
  let mode: 'commands' | 'content' | 'encrypted' = 'commands';
  /** Commands without a response yet; first the server's greeting. */
  const waiting: (SmtpPoint | undefined)[] = ['connected'];
  let [commands, responses, content] = ['', '', ''];
  let isFirst = true;
  let isOver = false;

  /** Ends the connection after delivering pending data. */
  function cut(): void {
    isOver = true;
    near.destroySoon();
    far.destroySoon();
  }

  function onCommand(line: string): void {
    if (isOver) return;
    const command = /^[a-z]+/i.exec(line)?.[0].toUpperCase() ?? '';
    if (isFirst && endsAt('greeted')) return cut();
    isFirst = false;
    far.write(line, 'latin1');
    waiting.push(isPoint(command) ? command : undefined);
  }

  function onContent(chunk: string): void {
    const before = content.length;
    content += chunk;
    if (before === 0 && endsAt('content')) {
      far.write(chunk.slice(0, Math.ceil(chunk.length / 2)).replace(END, ''), 'latin1');
      return cut();
    }
    far.write(chunk, 'latin1');
    if (!content.endsWith(END)) return;
    [mode, content] = ['commands', ''];
    waiting.push('dot');
  }

  function onResponse(line: string): void {
    if (isOver) return;
    const isLast = /^\d{3} /.test(line);
    const point = isLast ? waiting.shift() : undefined;
    if (point !== undefined && endsAt(point)) return cut();
    near.write(line, 'latin1');
    if (point === 'DATA' && line.startsWith('354')) mode = 'content';
    if (point === 'STARTTLS' && line.startsWith('220')) mode = 'encrypted';
    if (point === 'dot' && endsAt('answered')) cut();
  }

  near.on('data', (chunk) => {
    if (isOver) return;
    if (mode === 'encrypted') {
      far.write(chunk);
      return;
    }
    if (mode === 'content') onContent(chunk.toString('latin1'));
    else commands = eachLine(commands + chunk.toString('latin1'), onCommand);
  });
  far.on('data', (chunk) => {
    if (isOver) return;
    if (mode === 'encrypted') {
      near.write(chunk);
      return;
    }
    responses = eachLine(responses + chunk.toString('latin1'), onResponse);
  });
}

/** Passes each complete line to `take` and returns the incomplete rest. */
function eachLine(text: string, take: (line: string) => void): string {
  const lines = text.split('\n');
  const rest = lines.pop()!;
  for (const line of lines) take(`${line}\n`);
  return rest;
}
