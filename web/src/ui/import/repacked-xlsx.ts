import { zipSync } from 'fflate';

/**
 * Maximum unpacked size of a file, in bytes: a small file can unpack to any size
 * (docs/product/security.md, Unpacking is bounded).
 */
const UNPACKED_LIMIT = 200 * 1024 * 1024;

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const STORED = 0;
const DEFLATED = 8;

export class UnpackedTooLarge extends Error {}

/**
 * Returns the same Excel file without compression. The library that parses it unpacks larger parts in workers created
 * from blobs, which our Content-Security-Policy forbids: it would never finish. Stored entries need no worker. The
 * browser unpacks piece by piece, since fflate does not stop at a limit if an entry states a wrong size. Throws
 * `UnpackedTooLarge`, or another error when it is not a zip file.
 */
export async function repackedXlsx(file: Blob): Promise<ArrayBuffer> {
  const parts: Record<string, Uint8Array> = {};
  let left = UNPACKED_LIMIT;
  for (const { name, method, packed } of entriesOf(new Uint8Array(await file.arrayBuffer()))) {
    // Pictures, printer settings and the like are not needed.
    if (!/\.(xml|rels)$/.test(name)) continue;
    const content = method === STORED ? packed : await inflated(packed, left);
    left -= content.length;
    if (left < 0) throw new UnpackedTooLarge();
    parts[name] = content;
  }
  return zipSync(parts, { level: 0 }).buffer;
}

function* entriesOf(bytes: Uint8Array<ArrayBuffer>) {
  const view = new DataView(bytes.buffer);
  let end = bytes.length - 22;
  while (end >= 0 && view.getUint32(end, true) !== END) end -= 1;
  if (end < 0) throw new TypeError('no zip file');
  let at = view.getUint32(end + 16, true);
  for (let count = view.getUint16(end + 10, true); count > 0; count -= 1) {
    if (view.getUint32(at, true) !== ENTRY) throw new TypeError('no zip file');
    const method = view.getUint16(at + 10, true);
    if (method !== STORED && method !== DEFLATED) throw new TypeError('unknown compression');
    const nameLength = view.getUint16(at + 28, true);
    const local = view.getUint32(at + 42, true);
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    yield {
      name: new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength)),
      method,
      packed: bytes.subarray(start, start + view.getUint32(at + 20, true)),
    };
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
}

async function inflated(packed: Uint8Array<ArrayBuffer>, limit: number): Promise<Uint8Array> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(pieces).arrayBuffer());
    size += value.length;
    if (size > limit) {
      await reader.cancel();
      throw new UnpackedTooLarge();
    }
    pieces.push(value);
  }
}
