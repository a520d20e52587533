import { crc32 } from 'node:zlib';

const number = (value: number, bytes: 2 | 4): Buffer => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
};

/** Returns a JPEG segment: marker, length, data. */
export function segment(marker: number, data: Buffer | string): Buffer {
  const content = typeof data === 'string' ? Buffer.from(data, 'latin1') : data;
  return Buffer.concat([Buffer.from([0xff, marker]), number(content.length + 2, 2), content]);
}

/** Returns a JPEG of 5 by 7 pixels with these segments before its frame, without pixel data. */
export const jpegOf = (segments: Buffer[]): Buffer =>
  Buffer.concat([
    Buffer.from('ffd8ffe000040101', 'hex'),
    ...segments,
    Buffer.from('ffc2000b080007000501011100ffd9', 'hex'),
  ]);

/** Returns a PNG chunk: length, type, data, checksum. */
export function pngChunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type), data]);
  return Buffer.concat([number(data.length, 4), content, number(crc32(content), 4)]);
}

/** Returns EXIF with one entry, the orientation, in either byte order. */
export function tiff(order: 'II' | 'MM', orientation: number): Buffer {
  const fields: [number, 2 | 4][] = [
    [42, 2],
    [8, 4],
    [1, 2],
    [0x0112, 2],
    [3, 2],
    [1, 4],
    [orientation, 2],
    [0, 2],
    [0, 4],
  ];
  const written = fields.map(([value, bytes]) =>
    order === 'MM' ? number(value, bytes) : Buffer.from(number(value, bytes).toReversed()),
  );
  return Buffer.concat([Buffer.from(order), ...written]);
}
