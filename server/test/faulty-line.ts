import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export type LineFault =
  /** The connection breaks. */
  | 'broken'
  /** The connection stays open without transferring data. */
  | 'silent'
  /** One bit is flipped. */
  | 'garbled';

export type FaultyLine = {
  port: number;
  /**
   * Makes new connections fail after this many bytes of both directions together; undefined: never. A function is
   * called once, and its direction waits for it.
   */
  fail(plan: { fault: LineFault | (() => unknown); afterBytes: number } | undefined): void;
  /** Bytes of both directions since the last `fail`. */
  bytes(): number;
  close(): Promise<void>;
};

/** Creates a TCP proxy to a local port that fails at a chosen byte. */
export async function openFaultyLine(toPort: number): Promise<FaultyLine> {
  let plan: Parameters<FaultyLine['fail']>[0];
  let passed = 0;
  const sockets = new Set<Socket>();

  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ port: toPort, host: '127.0.0.1', noDelay: true });
    const ends = [near, far];
    const mine = plan;
    let isSilent = false;
    const relay = (from: Socket, to: Socket) =>
      from.on('data', (chunk: Buffer) => {
        if (isSilent) return;
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
    relay(near, far);
    relay(far, near);
    for (const end of ends) {
      sockets.add(end);
      end
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(end);
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
    bytes: () => passed,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
