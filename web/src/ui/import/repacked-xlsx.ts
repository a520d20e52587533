/** What is unpacked of one file at most, in bytes: a small file can grow to any size (security J4). */
const UNPACKED_LIMIT = 200 * 1024 * 1024;

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const STORED = 0;
const DEFLATED = 8;

export class UnpackedTooLarge extends Error {}

type Part = { readonly name: Uint8Array; readonly content: Uint8Array };

/**
 * The same Excel file without compression. The library that reads it unpacks larger parts in workers made of
 * blobs, which our Content-Security-Policy forbids: it would wait for them for ever. What is stored as it is
 * needs no worker. Throws `UnpackedTooLarge`, or anything
 * else when it is no zip file.
 */
export async function repackedXlsx(file: Blob): Promise<ArrayBuffer> {
  const parts: Part[] = [];
  let left = UNPACKED_LIMIT;
  for (const { name, method, packed } of entriesOf(new Uint8Array(await file.arrayBuffer()))) {
    // Pictures, printer settings and the like are not read.
    if (!/\.(xml|rels)$/.test(new TextDecoder().decode(name))) continue;
    const content = method === STORED ? packed : await inflated(packed, left);
    left -= content.length;
    if (left < 0) throw new UnpackedTooLarge();
    parts.push({ name, content });
  }
  return stored(parts);
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
      name: bytes.subarray(at + 46, at + 46 + nameLength),
      method,
      packed: bytes.subarray(start, start + view.getUint32(at + 20, true)),
    };
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
}

async function inflated(packed: Uint8Array<ArrayBuffer>, limit: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return joined(pieces);
    size += value.length;
    if (size > limit) {
      await reader.cancel();
      throw new UnpackedTooLarge();
    }
    pieces.push(value);
  }
}

function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(pieces.reduce((size, piece) => size + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/** A zip file of these parts. Checksums stay empty: the library does not look at them. */
function stored(parts: readonly Part[]): ArrayBuffer {
  const files: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let at = 0;
  for (const { name, content } of parts) {
    const local = header(30, LOCAL, [
      [18, content.length],
      [22, content.length],
      [26, name.length],
    ]);
    directory.push(
      header(46, ENTRY, [
        [20, content.length],
        [24, content.length],
        [28, name.length],
        [42, at],
      ]),
      name,
    );
    files.push(local, name, content);
    at += local.length + name.length + content.length;
  }
  const size = directory.reduce((sum, piece) => sum + piece.length, 0);
  const end = header(22, END, [
    [8, parts.length + parts.length * 0x1_0000],
    [12, size],
    [16, at],
  ]);
  return joined([...files, ...directory, end]).buffer;
}

/** Of zeros but for the signature and these 32-bit numbers. */
function header(
  length: number,
  signature: number,
  fields: readonly (readonly [number, number])[],
): Uint8Array {
  const view = new DataView(new ArrayBuffer(length));
  view.setUint32(0, signature, true);
  for (const [at, value] of fields) view.setUint32(at, value, true);
  return new Uint8Array(view.buffer);
}
