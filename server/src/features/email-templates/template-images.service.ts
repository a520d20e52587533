import { Readable } from 'node:stream';
import type { TemplateDocument } from '@forecourt/contract/email-templates';
import { IMAGES_BYTES } from '@forecourt/contract/image-limits';
import type { TemplateImage } from '@forecourt/contract/template-images';
import { audit } from '../../platform/audit.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { inTransaction, type Context } from '../../platform/http/context.ts';
import type { Download } from '../../platform/http/downloads.ts';
import { AppError, invalidField } from '../../platform/http/errors.ts';
import { readWhole, type Upload } from '../../platform/http/files.ts';
import { newId } from '../../platform/ids.ts';
import { simpleBlocksOf } from './document-parts.ts';
import { sightOf } from './email-templates.policy.ts';
import { imageKind } from './image-kind.ts';
import { withoutMetadata } from './image-metadata.ts';
import * as queries from './template-images.queries.ts';

/** Images in templates: added first, then named by a document (product.md section 6). */
export function createTemplateImages() {
  return {
    /** Keeps a PNG, JPEG or GIF image of at most 2 MB without its metadata; any other file is refused. */
    async add(ctx: Context, file: Upload): Promise<TemplateImage> {
      const uploaded = await readWhole(file);
      if (!uploaded) throw invalidField('image', 'Must be at most 2 MB');
      const kind = imageKind(uploaded);
      if (!kind) throw invalidField('image', 'Must be a PNG, JPEG or GIF image');
      const content = withoutMetadata(uploaded, kind.type);
      if (!content) throw invalidField('image', 'This image is damaged. Save it anew and add that one.');
      const image = { id: newId(), ...kind };
      await inTransaction(ctx, async (inner) => {
        await queries.deleteUnused(inner.db);
        await queries.insertImage(inner.db, { ...image, content, created_by: ctx.viewer.userId });
        await audit(inner.db, ctx, {
          action: 'template-image.created',
          entity: 'template-image',
          recordId: image.id,
          after: { ...kind, size: content.length },
        });
      });
      return { _id: image.id, ...kind, size: content.length };
    },

    /** The file, for those who may read a template with it. */
    async open(ctx: Context, id: string): Promise<Download> {
      const [file] = await queries.imageFilesInSight(ctx.db, sightOf(ctx.viewer), [id]);
      if (!file) throw new AppError('NOT_FOUND');
      return {
        name: `image.${endingOf(file.type)}`,
        size: file.content.length,
        type: file.type,
        open: () => Readable.from([file.content]),
      };
    },

    /**
     * Gives a document's images to its template. Refuses one that is not there for the viewer, so that nobody reads
     * another's image by naming it, and more than 5 MB together.
     */
    async keepFor(ctx: Context & { db: Tx }, templateId: string, document: TemplateDocument): Promise<void> {
      const ids = imagesOf(document);
      if (ids.length === 0) return;
      const found = await queries.imageSizes(ctx.db, sightOf(ctx.viewer), ids);
      if (found.length < ids.length) {
        throw invalidField('document', 'An image is not there any more. Remove it, or add it again.');
      }
      if (found.reduce((sum, { size }) => sum + size, 0) > IMAGES_BYTES) {
        throw invalidField('document', 'The images of a template may have at most 5 MB together');
      }
      await queries.insertUses(ctx.db, templateId, ids);
    },

    /** The files of a message that is looked at before it is sent; of a template being written those in sight. */
    filesInSight: (ctx: Context, ids: string[]) =>
      queries.imageFilesInSight(ctx.db, sightOf(ctx.viewer), ids),

    /** The files of a message, for whoever may read it, or for its mail server. */
    files: (db: Db | Tx, ids: string[]) => queries.imageFiles(db, ids),

    /** Keeps images for as long as the message is kept that goes out with them. */
    keepForEmail: queries.insertEmailImages,
  };
}

const endingOf = (type: string): string => type.slice('image/'.length);

const imagesOf = (document: TemplateDocument): string[] => [
  ...new Set(simpleBlocksOf(document).flatMap((block) => (block.type === 'image' ? [block.imageId] : []))),
];
