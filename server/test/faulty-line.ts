import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export type LineFault =
  /** The connection breaks. */
  | 'broken'
  /** The connection stays open without transferring data. */
  | 'silent'
  /** One bit is flipped. */
  | 'garbled';

/** A local port, or the path of a socket. */
type Target = number | string;

export type FaultyLine = {
  port: number;
  /**
   * Makes new connections fail after this many bytes of both directions together; undefined: never. A function is
   * called once, and its direction waits for it.
   */
  fail(plan: { fault: LineFault | (() => unknown); afterBytes: number } | undefined): void;
  /** Makes all open connections silent; new ones are not affected. */
  silence(): void;
  /** Makes all connections silent, also new ones, until `mend`: as an unplugged cable. */
  cut(): void;
  /** Ends a cut. Connections from before break. */
  mend(): void;
  /** Connects new connections to another target; open ones stay where they are. */
  redirect(to: Target): void;
  /** Breaks all open connections. */
  breakAll(): void;
  /** Bytes of both directions since the last `fail`. */
  bytes(): number;
  close(): Promise<void>;
};

/**
 * Creates a TCP proxy that fails at a chosen byte, or when it is told to.
 * @param rewrite changes what passes to the server and to the client
 */
export async function openFaultyLine(
  to: Target,
  rewrite: { toServer?: (chunk: Buffer) => Buffer; toClient?: (chunk: Buffer) => Buffer } = {},
): Promise<FaultyLine> {
  let target = to;
  let plan: Parameters<FaultyLine['fail']>[0];
  let passed = 0;
  let isCut = false;
  const sockets = new Set<Socket>();
  const silencers = new Set<() => void>();

  const server = createServer({ noDelay: true }, (near) => {
    const far =
      typeof target === 'string'
        ? connect(target)
        : connect({ port: target, host: '127.0.0.1', noDelay: true });
    const ends = [near, far];
    const mine = plan;
    let isSilent = isCut;
    const silence = (): void => {
      isSilent = true;
    };
    silencers.add(silence);
    const relay = (from: Socket, to: Socket, change = (chunk: Buffer): Buffer => chunk) =>
      from.on('data', (received: Buffer) => {
        if (isSilent) return;
        const chunk = change(received);
        const before = passed;
        passed += chunk.length;
        if (mine && before < mine.afterBytes && passed >= mine.afterBytes) {
          if (mine.fault === 'broken') return ends.forEach((end) => end.destroy());
          if (mine.fault === 'silent') return void (isSilent = true);
          if (mine.fault === 'garbled') chunk[mine.afterBytes - before - 1]! ^= 1;
          else return void waitFor(mine.fault, from).then(() => to.write(chunk));
        }
        to.write(chunk);
      });
    const waitFor = async (work: () => unknown, from: Socket) => {
      from.pause();
      await work();
      from.resume();
    };
    relay(near, far, rewrite.toServer);
    relay(far, near, rewrite.toClient);
    for (const end of ends) {
      sockets.add(end);
      end
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(end);
          silencers.delete(silence);
          ends.forEach((other) => other.destroySoon());
        });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as { port: number }).port,
    fail(next) {
      plan = next;
      passed = 0;
    },
    silence: () => silencers.forEach((silence) => silence()),
    cut() {
      isCut = true;
      silencers.forEach((silence) => silence());
    },
    mend() {
      isCut = false;
      sockets.forEach((socket) => socket.destroy());
    },
    redirect(next) {
      target = next;
    },
    breakAll: () => sockets.forEach((socket) => socket.destroy()),
    bytes: () => passed,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
