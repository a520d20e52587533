// The network side of a user's browser: requests on persistent connections, and the live stream.
import { Agent, get, request } from 'node:http';
import { gunzipSync } from 'node:zlib';

/** Connections that a browser opens to one server. */
const CONNECTIONS = 6;
/** Encodings that Chromium offers over plain HTTP. */
const ENCODINGS = 'gzip, deflate';

const hostOf = (port) => ({ host: '127.0.0.1', port });

/** Sends one request. Rejects with `isReset` if the server had closed the reused connection meanwhile. */
const send = ({ agent, port, token }, { method, path, body, headers }) => {
  const text = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = request({
      ...hostOf(port),
      agent,
      method,
      path: `/api${path}`,
      headers: {
        authorization: `Bearer ${token}`,
        'accept-encoding': ENCODINGS,
        ...(text !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
        }),
        ...headers,
      },
    });
    sent.on('error', (error) =>
      reject(Object.assign(error, { isReset: sent.reusedSocket && error.code === 'ECONNRESET' })),
    );
    sent.on('response', (response) => {
      const pieces = [];
      response.on('error', reject);
      response.on('data', (piece) => pieces.push(piece));
      response.on('end', () => {
        const bytes = Buffer.concat(pieces);
        const isPacked = response.headers['content-encoding'] === 'gzip';
        const read = () => JSON.parse((isPacked ? gunzipSync(bytes) : bytes).toString());
        resolve({ status: response.statusCode, read });
      });
    });
    sent.end(text);
  });
};

/** Creates the client of one user. Returns status and bytes of the body; `read` parses JSON. */
export function openBrowser({ port, token }) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  return {
    async call(call) {
      try {
        return await send({ agent, port, token }, call);
      } catch (error) {
        // The server closes connections that were idle for a minute, possibly at this moment: browsers retry on
        // another.
        if (!error.isReset) throw error;
        return send({ agent, port, token }, call);
      }
    },
    close: () => agent.destroy(),
  };
}

/**
 * Opens a live stream as the page does; resolves once the server has sent the permissions. `onMessage` gets the event
 * name and the data of each message as text.
 */
export function openStream({ port, token, onMessage, onEnd }) {
  const agent = new Agent();
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream', 'x-background': '1' };
    const stream = get({ ...hostOf(port), agent, path: '/api/events?recent=1', headers }, (response) => {
      if (response.statusCode !== 200)
        return reject(new Error(`The live stream returned ${response.statusCode}`));
      let rest = '';
      response.setEncoding('utf8');
      response.on('data', (piece) => {
        const messages = (rest + piece).split('\n\n');
        rest = messages.pop();
        for (const message of messages) {
          const kind = /^event: (\w+)$/m.exec(message)?.[1];
          if (kind === 'permissions') resolve({ close: () => stream.destroy() });
          if (kind !== undefined) onMessage(kind, message.slice(message.indexOf('data: ') + 6));
        }
      });
      response.on('close', onEnd);
    });
    stream.on('error', reject);
  });
}
