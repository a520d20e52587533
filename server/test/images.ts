import type { Person, Reply, TestApp } from './app.ts';
import { pngChunk } from './image-parts.ts';
import { uploadFile, type SentFile } from './uploads.ts';

/** A PNG of one red pixel. */
export const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
);

/** Returns the header of a PNG of this size, padded to `bytes` with an unknown chunk. */
export function pngOf(width: number, height: number, bytes = DOT.length): Buffer {
  const more = bytes - DOT.length;
  const filling = more > 0 ? [pngChunk('fiLl', Buffer.alloc(more - 12))] : [];
  const png = Buffer.concat([DOT.subarray(0, -12), ...filling, DOT.subarray(-12)]);
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  return png;
}

/** Uploads an image for templates. */
export const addImage = (
  server: TestApp,
  by: Pick<Person, 'token'> | undefined,
  content: Buffer | string,
  file: SentFile = {},
): Promise<Reply> =>
  uploadFile(server, by, '/email-templates/images', content, {
    filename: 'logo.png',
    type: 'image/png',
    field: 'image',
    ...file,
  });
