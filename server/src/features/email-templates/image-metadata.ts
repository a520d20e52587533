import { crc32 } from 'node:zlib';
import type { ImageKind } from './image-kind.ts';

/**
 * Removes the metadata of an image: place and time, device, author, the state before cropping. Preserves colours and
 * orientation. Returns null for a damaged image, because its contents are not understood.
 */
export function withoutMetadata(content: Buffer, type: ImageKind['type']): Buffer | null {
  if (type === 'image/jpeg') return jpegWithoutMetadata(content);
  if (type === 'image/png') return pngWithoutMetadata(content);
  return content;
}

/** Collects the parts to retain; merges adjacent ones. */
function createCollector(content: Buffer) {
  const pieces: Buffer[] = [];
  let from = 0;
  return {
    replace(start: number, end: number, by: Buffer | undefined): void {
      if (start > from) pieces.push(content.subarray(from, start));
      if (by) pieces.push(by);
      from = end;
    },
    upTo: (end: number): Buffer => Buffer.concat([...pieces, content.subarray(from, end)]),
  };
}

/** Markers of a JPEG (ITU T.81, table B.1). */
const START = 0xd8;
const END = 0xd9;
const SCAN = 0xda;
const COMMENT = 0xfe;
/** Markers without a length and data. */
const hasNoLength = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);

/** Application segments, APP1 to APP15. */
const isApplications = (marker: number): boolean => marker >= 0xe1 && marker <= 0xef;

const EXIF = 'Exif\0\0';
/** Application segments that define colours: a profile, and the colour transform of Adobe programs. */
const COLOURS: Record<number, string> = { 0xe2: 'ICC_PROFILE\0', 0xee: 'Adobe' };

function jpegWithoutMetadata(content: Buffer): Buffer | null {
  const collector = createCollector(content);
  let hasOrientation = false;
  let at = 2;
  while (at < content.length) {
    if (content[at] !== 0xff) return null;
    // Padding bytes may precede a marker.
    let markerAt = at + 1;
    while (content[markerAt] === 0xff) markerAt += 1;
    const marker = content[markerAt];
    if (marker === END) return collector.upTo(markerAt + 1);
    if (marker === undefined || marker === 0 || marker === START) return null;
    if (hasNoLength(marker)) {
      at = markerAt + 1;
      continue;
    }
    const begin = markerAt + 3;
    if (begin > content.length) return null;
    const end = markerAt + 1 + content.readUInt16BE(markerAt + 1);
    if (end < begin || end > content.length) return null;
    const starts = (text: string): boolean => content.toString('latin1', begin, begin + text.length) === text;
    if (marker === COMMENT || isApplications(marker)) {
      const isColour = COLOURS[marker] !== undefined && starts(COLOURS[marker]);
      const orientation: number | undefined =
        marker === 0xe1 && !hasOrientation && starts(EXIF)
          ? orientationIn(content.subarray(begin + EXIF.length, end))
          : undefined;
      hasOrientation ||= orientation !== undefined;
      if (!isColour) collector.replace(at, end, jpegOrientation(orientation));
    }
    at = marker === SCAN ? endOfScan(content, end) : end;
  }
  // The pixel data is truncated, but can be displayed. It contains no metadata: all markers were visited.
  return collector.upTo(content.length);
}

/** Returns the end of the pixel data: the first marker that is neither a stuffed byte nor a restart. */
function endOfScan(content: Buffer, begin: number): number {
  let at = content.indexOf(0xff, begin);
  while (at >= 0 && at + 1 < content.length) {
    const next = content[at + 1]!;
    if (next !== 0 && next !== 0xff && !hasNoLength(next)) return at;
    at = content.indexOf(0xff, at + (next === 0xff ? 1 : 2));
  }
  return content.length;
}

/** Chunks with texts, times and EXIF. Colour chunks (iCCP, gAMA, cHRM, sRGB) are retained. */
const PNG_METADATA = new Set(['eXIf', 'tEXt', 'zTXt', 'iTXt', 'tIME']);

function pngWithoutMetadata(content: Buffer): Buffer | null {
  const collector = createCollector(content);
  for (let at = 8; at + 12 <= content.length;) {
    const end = at + 12 + content.readUInt32BE(at);
    if (end > content.length) return null;
    const type = content.toString('latin1', at + 4, at + 8);
    if (type === 'IEND') return collector.upTo(end);
    if (PNG_METADATA.has(type)) {
      const orientation = type === 'eXIf' ? orientationIn(content.subarray(at + 8, end - 4)) : undefined;
      collector.replace(at, end, pngOrientation(orientation));
    }
    at = end;
  }
  return null;
}

/** Returns the orientation (EXIF, tag 0x0112), 2 to 8; undefined if it is normal or unreadable. */
function orientationIn(tiff: Buffer): number | undefined {
  const order = tiff.toString('latin1', 0, 4);
  if (tiff.length < 8 || (order !== 'II*\0' && order !== 'MM\0*')) return undefined;
  const isLittle = order === 'II*\0';
  const short = (at: number): number => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (directory + 2 > tiff.length) return undefined;
  const entries = Math.min(short(directory), Math.floor((tiff.length - directory - 2) / 12));
  for (let index = 0; index < entries; index += 1) {
    const at = directory + 2 + 12 * index;
    if (short(at) !== 0x0112) continue;
    const value = short(at + 8);
    return value >= 2 && value <= 8 ? value : undefined;
  }
  return undefined;
}

const onlyOrientation = (value: number): Buffer =>
  Buffer.concat([
    Buffer.from('MM\0*'),
    // One entry: the tag, type 16-bit number, count one, its value. No directory follows.
    Buffer.from([0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, value, 0, 0, 0, 0, 0, 0]),
  ]);

function jpegOrientation(value: number | undefined): Buffer | undefined {
  if (value === undefined) return undefined;
  const data = Buffer.concat([Buffer.from(EXIF), onlyOrientation(value)]);
  return Buffer.concat([Buffer.from([0xff, 0xe1, 0, data.length + 2]), data]);
}

function pngOrientation(value: number | undefined): Buffer | undefined {
  if (value === undefined) return undefined;
  const data = onlyOrientation(value);
  const chunk = Buffer.alloc(data.length + 12);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write('eXIf', 4);
  data.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return chunk;
}
