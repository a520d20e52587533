// What a person's browser does with the server: calls on connections that stay open, and the live stream.
import { Agent, get, request } from 'node:http';
import { gunzipSync } from 'node:zlib';

/** A browser opens so many connections to a server. */
const CONNECTIONS = 6;
/** On a plain http address Chromium offers these. */
const ENCODINGS = 'gzip, deflate';

const hostOf = (port) => ({ host: '127.0.0.1', port });

/** One call. Rejects with `isReset` where the connection had been used before and the server had closed it meanwhile. */
const ask = ({ agent, port, token }, { method, path, body, headers }) => {
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
    sent.on('response', (answer) => {
      const pieces = [];
      answer.on('error', reject);
      answer.on('data', (piece) => pieces.push(piece));
      answer.on('end', () => {
        const bytes = Buffer.concat(pieces);
        const isPacked = answer.headers['content-encoding'] === 'gzip';
        const read = () => JSON.parse((isPacked ? gunzipSync(bytes) : bytes).toString());
        resolve({ status: answer.statusCode, read });
      });
    });
    sent.end(text);
  });
};

/** Calls of one person. Answers status and bytes of the body; `read` makes JSON of it. */
export function openBrowser({ port, token }) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  return {
    async call(asked) {
      try {
        return await ask({ agent, port, token }, asked);
      } catch (error) {
        // A server closes a connection that was idle for a minute, maybe just now: browsers ask again on another.
        if (!error.isReset) throw error;
        return ask({ agent, port, token }, asked);
      }
    },
    close: () => agent.destroy(),
  };
}

/**
 * Opens a live stream as the page does and answers once the server has told the person's rights on it. `onMessage` gets
 * what each message is and its data as text.
 */
export function openStream({ port, token, onMessage, onEnd }) {
  const agent = new Agent();
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream', 'x-background': '1' };
    const stream = get({ ...hostOf(port), agent, path: '/api/events?recent=1', headers }, (answer) => {
      if (answer.statusCode !== 200)
        return reject(new Error(`The live stream was answered ${answer.statusCode}`));
      let rest = '';
      answer.setEncoding('utf8');
      answer.on('data', (piece) => {
        const messages = (rest + piece).split('\n\n');
        rest = messages.pop();
        for (const message of messages) {
          const kind = /^event: (\w+)$/m.exec(message)?.[1];
          if (kind === 'permissions') resolve({ close: () => stream.destroy() });
          if (kind !== undefined) onMessage(kind, message.slice(message.indexOf('data: ') + 6));
        }
      });
      answer.on('close', onEnd);
    });
    stream.on('error', reject);
  });
}
