import type { SimpleBlock } from '@forecourt/contract/email-templates';
import { attribute, plainText } from './escaping.ts';
import type { Output } from './output.ts';

type Image = Extract<SimpleBlock, { type: 'image' }>;

/** Returns the content id of an image part (RFC 2392). */
export const contentIdOf = (imageId: string): string => `${imageId}@images.forecourt`;

const REFERENCE = /src="cid:([0-9a-f-]{36})@images\.forecourt"/g;

/** Returns the ids of a message's images. Only `writeImageHtml` writes references: quotes in values are escaped. */
export const imageIdsIn = (html: string): string[] => [
  ...new Set(Array.from(html.matchAll(REFERENCE), ([, id]) => id!)),
];

/** Replaces image references by data URLs, for a frame without network access. Unknown images are omitted. */
export const withImagesInside = (html: string, addresses: ReadonlyMap<string, string>): string =>
  html.replaceAll(REFERENCE, (_reference, id: string) => `src="${addresses.get(id) ?? ''}"`);

export function writeImageHtml(output: Output, { imageId, alt, width }: Image): void {
  output.write(
    `<p style="margin:0 0 16px"><img src="cid:${contentIdOf(imageId)}" alt="${attribute(alt)}" width="${width}" ` +
      `style="display:block;width:${width}px;max-width:100%;height:auto;border:0"></p>`,
  );
}

export const writeImageText = (output: Output, { alt }: Image): void => output.write(`[${plainText(alt)}]`);
