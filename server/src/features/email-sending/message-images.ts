import type { Db } from '../../platform/db/database.ts';
import type { MimeMessage } from '../../platform/mail/mime-message.ts';
import type { EmailTemplatesService } from '../email-templates/email-templates.service.ts';
import { contentIdOf, imageIdsIn, withImagesInside } from './render/image.ts';

type Images = EmailTemplatesService['images'];
type ImageFile = Awaited<ReturnType<Images['files']>>[number];

/** Returns the HTML for display on a page, with embedded images and without external requests. */
export async function withEmbeddedImages(
  html: string,
  filesOf: (ids: string[]) => Promise<ImageFile[]>,
): Promise<string> {
  const ids = imageIdsIn(html);
  if (ids.length === 0) return html;
  const addresses = (await filesOf(ids)).map(
    ({ id, type, content }) => [id, `data:${type};base64,${content.toString('base64')}`] as const,
  );
  return withImagesInside(html, new Map(addresses));
}

export async function inlineParts(
  db: Db,
  images: Images,
  html: string,
): Promise<Required<Pick<MimeMessage, 'images'>>> {
  const ids = imageIdsIn(html);
  const files = ids.length === 0 ? [] : await images.files(db, ids);
  return { images: files.map(({ id, type, content }) => ({ contentId: contentIdOf(id), type, content })) };
}
