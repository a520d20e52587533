// HTTP clients with minimal cost, so that the two cores are left to the measured code.
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';

/** Headers that Chromium adds to the requests of a page to its own HTTPS server. */
const CHROMIUM = [
  'host: 127.0.0.1',
  'connection: keep-alive',
  'sec-ch-ua-platform: "Linux"',
  'user-agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
  'sec-ch-ua: "Chromium";v="156", "Not)A;Brand";v="24"',
  'sec-ch-ua-mobile: ?0',
  'accept: */*',
  'sec-fetch-site: same-origin',
  'sec-fetch-mode: cors',
  'sec-fetch-dest: empty',
  'referer: http://127.0.0.1/data-entry',
  'accept-language: en-AU,en;q=0.9',
].join('\r\n');
const ENCODINGS = 'gzip, deflate, br, zstd';

/** Returns a new Idempotency-Key, as the page does (web/src/platform/ids.ts). */
export const newKey = () => randomBytes(16).toString('hex');

/**
 * Returns one request as bytes, with the headers of Chromium and of the page's code (web/src/platform/api.ts).
 * @param body a value to serialise, or JSON
 * @param changeSet kind and key of the change set (web/src/platform/ids.ts)
 * @param encodings the accepted encodings; empty: the response is not compressed
 */
export function requestOf(method, path, { token, body, key, changeSet, encodings = ENCODINGS } = {}) {
  const text = body === undefined || typeof body === 'string' ? (body ?? '') : JSON.stringify(body);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    CHROMIUM,
    ...(encodings ? [`accept-encoding: ${encodings}`] : []),
    ...(token ? [`authorization: Bearer ${token}`] : []),
    ...(key ? [`idempotency-key: ${key}`] : []),
    ...(changeSet ? [`x-change-set: ${changeSet}`] : []),
    ...(method === 'GET' ? [] : ['origin: http://127.0.0.1']),
    ...(text === '' ? [] : ['content-type: application/json', `content-length: ${Buffer.byteLength(text)}`]),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${text}`;
}

const END_OF_CHUNKS = Buffer.from('0\r\n\r\n');

/** Returns the content of a chunked body; undefined: it is incomplete. */
function joinChunks(bytes) {
  if (!bytes.subarray(-END_OF_CHUNKS.length).equals(END_OF_CHUNKS)) return undefined;
  const chunks = [];
  for (let at = 0; at < bytes.length;) {
    const start = bytes.indexOf('\r\n', at) + 2;
    const size = Number.parseInt(bytes.latin1Slice(at, start), 16);
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(bytes.subarray(start, start + size));
    at = start + size + 2;
  }
  return undefined;
}

const DECOMPRESS = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync };

const headerOf = (head, name) => new RegExp(`\r\n${name}: ([^\r]+)`, 'i').exec(head)?.[1];

/** Reads one response from its chunks; undefined: it is incomplete. Heads of these servers arrive in one chunk. */
function readResponse(received) {
  const end = received[0].indexOf('\r\n\r\n');
  const head = received[0].latin1Slice(0, end);
  const start = end + 4;
  const length = headerOf(head, 'content-length');
  const size = received.reduce((sum, { byteLength }) => sum + byteLength, -start);
  if (length !== undefined && size < Number(length)) return undefined;
  const bytes = Buffer.concat(received).subarray(start);
  const body = headerOf(head, 'transfer-encoding') === 'chunked' ? joinChunks(bytes) : bytes;
  return body && { status: Number(head.slice(9, 12)), encoding: headerOf(head, 'content-encoding'), body };
}

/**
 * Opens a connection for sequential requests. `request` resolves with the response and rejects unless it is a finished
 * success: an import that continues as a job (202) is not measured.
 */
function openClient(port) {
  const socket = connect(port, '127.0.0.1').setNoDelay();
  let received = [];
  let waiting = null;
  const fail = (error) => waiting?.reject(error);
  socket.on('error', fail).on('close', () => fail(new Error('The connection was closed')));
  socket.on('data', (chunk) => {
    received.push(chunk);
    const response = readResponse(received);
    if (response === undefined) return;
    received = [];
    if (response.status < 300 && response.status !== 202) waiting.resolve(response);
    else waiting.reject(new Error(`${response.status} ${contentOf(response)}`));
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

const contentOf = ({ encoding, body }) => DECOMPRESS[encoding]?.(body) ?? body;

/** Sends one request and returns the response body, decompressed. */
export async function requestOnce(port, request) {
  const client = openClient(port);
  try {
    return contentOf(await client.request(request));
  } finally {
    client.close();
  }
}

/**
 * Runs this many clients with sequential requests for `ms` milliseconds, or until there were as many `requests`. Returns
 * requests per second.
 */
export async function drive({ port, clients, ms = Infinity, requests = Infinity, next }) {
  const open = Array.from({ length: clients }, () => openClient(port));
  try {
    const started = performance.now();
    let [sent, count] = [0, 0];
    await Promise.all(
      open.map(async (client) => {
        while (sent < requests && performance.now() - started < ms) {
          sent += 1;
          const asked = next();
          const response = await client.request(asked.request ?? asked);
          asked.receive?.(JSON.parse(contentOf(response)));
          count += 1;
        }
      }),
    );
    return (1000 * count) / (performance.now() - started);
  } finally {
    for (const client of open) client.close();
  }
}
