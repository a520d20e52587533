// HTTP clients with minimal cost, so that the two cores are left to the measured code.
import { connect } from 'node:net';

/** Returns one request as bytes. */
export function requestOf(method, path, { token, body, headers = {} } = {}) {
  const text = body === undefined ? '' : JSON.stringify(body);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    ...(token ? [`authorization: Bearer ${token}`] : []),
    ...(text === '' ? [] : ['content-type: application/json', `content-length: ${Buffer.byteLength(text)}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${text}`;
}

/**
 * Opens a connection for sequential requests. `request` resolves with the body and rejects unless the status is a success.
 */
function openClient(port) {
  const socket = connect(port, '127.0.0.1').setNoDelay();
  let [head, body, missing] = ['', [], 0];
  let waiting = null;
  const fail = (error) => waiting?.reject(error);
  socket.on('error', fail).on('close', () => fail(new Error('The connection was closed')));
  socket.on('data', (chunk) => {
    if (head === '') {
      const end = chunk.indexOf('\r\n\r\n');
      // Response heads of this server arrive in one chunk.
      head = chunk.latin1Slice(0, end);
      missing = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      chunk = chunk.subarray(end + 4);
    }
    body.push(chunk);
    missing -= chunk.length;
    if (missing > 0) return;
    const response = { status: Number(head.slice(9, 12)), body: Buffer.concat(body) };
    [head, body] = ['', []];
    if (response.status < 300) waiting.resolve(response.body);
    else waiting.reject(new Error(`${response.status} ${response.body.toString()}`));
  });
  return {
    request: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        socket.write(request);
      }),
    close() {
      waiting = null;
      socket.destroy();
    },
  };
}

/** Sends one request and returns the response body. */
export async function requestOnce(port, request) {
  const client = openClient(port);
  try {
    return await client.request(request);
  } finally {
    client.close();
  }
}

/** Runs this many clients with sequential requests for `ms` milliseconds. Returns requests per second. */
export async function drive({ port, clients, ms, next }) {
  const open = Array.from({ length: clients }, () => openClient(port));
  try {
    const started = performance.now();
    let count = 0;
    await Promise.all(
      open.map(async (client) => {
        while (performance.now() - started < ms) {
          await client.request(next());
          count += 1;
        }
      }),
    );
    return (1000 * count) / (performance.now() - started);
  } finally {
    for (const client of open) client.close();
  }
}
