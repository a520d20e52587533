import type { TemplateImage } from '@forecourt/contract/template-images';

export type ImageKind = Pick<TemplateImage, 'type' | 'width' | 'height'>;

/**
 * Larger images cost a mail program's memory without benefit. Below 8192 no GIF can also be a valid script, because its
 * width is part of the text.
 */
const MAX_SIDE = 8000;

/** Detects the image type from its first bytes. Returns null for others, above all SVG, which can contain scripts. */
export function imageKind(content: Buffer): ImageKind | null {
  const kind = png(content) ?? gif(content) ?? jpeg(content);
  if (!kind) return null;
  return [kind.width, kind.height].every((side) => side > 0 && side <= MAX_SIDE) ? kind : null;
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function png(content: Buffer): ImageKind | null {
  const isPng = content.length >= 33 && content.subarray(0, 8).equals(PNG);
  if (!isPng || content.toString('latin1', 12, 16) !== 'IHDR') return null;
  return { type: 'image/png', width: content.readUInt32BE(16), height: content.readUInt32BE(20) };
}

function gif(content: Buffer): ImageKind | null {
  if (content.length < 14 || !/^GIF8[79]a$/.test(content.toString('latin1', 0, 6))) return null;
  return { type: 'image/gif', width: content.readUInt16LE(6), height: content.readUInt16LE(8) };
}

/** Whether a marker starts a frame header with the image size (ITU T.81, table B.1); not 0xc4, 0xc8 and 0xcc. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function jpeg(content: Buffer): ImageKind | null {
  if (content.length < 4 || content.readUInt16BE(0) !== 0xffd8) return null;
  for (let at = 2; at + 9 <= content.length;) {
    const marker = content[at + 1]!;
    if (content[at] !== 0xff || marker === 0xda) return null;
    if (isFrame(marker)) {
      return {
        type: 'image/jpeg',
        height: content.readUInt16BE(at + 5),
        width: content.readUInt16BE(at + 7),
      };
    }
    // A marker may be preceded by padding bytes; every segment has a length field.
    at += marker === 0xff ? 1 : 2 + Math.max(2, content.readUInt16BE(at + 2));
  }
  return null;
}
