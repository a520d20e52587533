import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import pg from 'pg';
import { expect, test } from 'vitest';
import { HostsClient } from './hosts-client.ts';

/** Returns a message of the PostgreSQL protocol. */
function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const SIGNED_IN = message('R', Buffer.alloc(4));
const READY = message('Z', Buffer.from('I'));
const ENDED = message(
  'E',
  Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'),
);

test('a connection that the server ends in the packet that completes it is refused, and the process goes on', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(Buffer.concat([SIGNED_IN, READY, ENDED])));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const pool = new pg.Pool({ Client: HostsClient, host: '127.0.0.1', port, ssl: false });
  pool.on('error', () => {});
  // Vitest fails on an error that nobody handles.
  await expect(pool.connect()).rejects.toMatchObject({ code: '57P01' });
  await expect(new HostsClient({ host: '127.0.0.1', port }).connect()).rejects.toMatchObject({
    code: '57P01',
  });
  expect(pool.totalCount).toBe(0);
  await pool.end();
  server.close();
});
