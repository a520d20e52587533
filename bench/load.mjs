// HTTP clients that cost as little as they can, so that the two cores are left to what is measured.
import { connect } from 'node:net';

/** One request as bytes. */
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

/** A connection that sends one request after the other. `ask` resolves with the body and rejects unless it is a success. */
function openClient(port) {
  const socket = connect(port, '127.0.0.1').setNoDelay();
  let [head, body, missing] = ['', [], 0];
  let waiting = null;
  const fail = (error) => waiting?.reject(error);
  socket.on('error', fail).on('close', () => fail(new Error('The connection was closed')));
  socket.on('data', (chunk) => {
    if (head === '') {
      const end = chunk.indexOf('\r\n\r\n');
      // Answers of this server begin in one piece.
      head = chunk.latin1Slice(0, end);
      missing = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      chunk = chunk.subarray(end + 4);
    }
    body.push(chunk);
    missing -= chunk.length;
    if (missing > 0) return;
    const answer = { status: Number(head.slice(9, 12)), body: Buffer.concat(body) };
    [head, body] = ['', []];
    if (answer.status < 300) waiting.resolve(answer.body);
    else waiting.reject(new Error(`${answer.status} ${answer.body.toString()}`));
  });
  return {
    ask: (request) =>
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

/** One answer. */
export async function askOnce(port, request) {
  const client = openClient(port);
  try {
    return await client.ask(request);
  } finally {
    client.close();
  }
}

/** As many clients as are named ask one request after the other for so many milliseconds. Answers requests a second. */
export async function drive({ port, clients, ms, next }) {
  const open = Array.from({ length: clients }, () => openClient(port));
  try {
    const started = performance.now();
    let count = 0;
    await Promise.all(
      open.map(async (client) => {
        while (performance.now() - started < ms) {
          await client.ask(next());
          count += 1;
        }
      }),
    );
    return (1000 * count) / (performance.now() - started);
  } finally {
    for (const client of open) client.close();
  }
}
