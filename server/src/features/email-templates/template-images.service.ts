import { Readable } from 'node:stream';
import type { TemplateDocument } from '@forecourt/contract/email-templates';
import { MAX_IMAGE_BYTES, MAX_IMAGES_BYTES } from '@forecourt/contract/image-limits';
import type { TemplateImage } from '@forecourt/contract/template-images';
import { audit } from '../../platform/audit.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { MissingContentError, type FileStore } from '../../platform/files/file-store.ts';
import { inTransaction, type Context, type TxContext } from '../../platform/http/context.ts';
import type { Download } from '../../platform/http/downloads.ts';
import { AppError, invalidField } from '../../platform/http/errors.ts';
import { formatMegabytes, type SmallFile } from '../../platform/http/files.ts';
import { newId } from '../../platform/ids.ts';
import { visibilityScopeOf } from './email-templates.policy.ts';
import { imageKind } from './image-kind.ts';
import { withoutMetadata } from './image-metadata.ts';
import { simpleBlocksOf } from './template-content.ts';
import * as queries from './template-images.queries.ts';

type ImageContent = { id: string; type: string; content: Buffer };

/** Images are uploaded first and then referenced by a document (docs/product/email.md, Images). */
export function createTemplateImages(files: FileStore) {
  const withContent = (images: queries.ImageFile[]): Promise<ImageContent[]> =>
    Promise.all(
      images.map(async ({ id, type, ...stored }) => ({ id, type, content: await files.read(stored) })),
    );

  /** Leaves out images whose content is missing: the rest of a message can still be read. */
  const withContentIfThere = async (images: queries.ImageFile[]): Promise<ImageContent[]> => {
    const files = images.map((image) =>
      withContent([image]).catch((error: unknown) => {
        if (error instanceof MissingContentError) return [];
        throw error;
      }),
    );
    return (await Promise.all(files)).flat();
  };

  return {
    /** Stores a PNG, JPEG or GIF image without its metadata. Throws for other files. */
    async add(ctx: Context, { content: uploaded }: SmallFile): Promise<TemplateImage> {
      if (!uploaded) throw invalidField('image', `Must be at most ${formatMegabytes(MAX_IMAGE_BYTES)}`);
      const kind = imageKind(uploaded);
      if (!kind) throw invalidField('image', 'Must be a PNG, JPEG or GIF image');
      const content = withoutMetadata(uploaded, kind.type);
      if (!content) throw invalidField('image', 'This image is damaged. Save it anew and add that one.');
      const image = { id: newId(), ...kind };
      await files.prepare(content);
      await inTransaction(ctx, async (inner) => {
        await queries.deleteUnused(inner.db);
        const { digest } = await files.add(inner.db, content);
        await queries.insertImage(inner.db, { ...image, digest, created_by: ctx.viewer.userId });
        await audit(inner, 'template-image.created', image.id, { after: { ...kind, size: content.length } });
      });
      return { _id: image.id, ...kind, size: content.length };
    },

    /** Returns the file if the viewer may read a template that contains it. */
    async open(ctx: Context, id: string): Promise<Download> {
      const [file] = await withContent(
        await queries.visibleImageFiles(ctx.db, visibilityScopeOf(ctx.viewer), [id]),
      );
      if (!file) throw new AppError('NOT_FOUND');
      return {
        name: `image.${endingOf(file.type)}`,
        size: file.content.length,
        type: file.type,
        open: () => Readable.from([file.content]),
      };
    },

    /**
     * Attaches the images of a document to its template. Throws for an image that the viewer may not see, since a
     * reference would reveal it, and above the maximum total size.
     */
    async attachToTemplate(ctx: TxContext, templateId: string, document: TemplateDocument): Promise<void> {
      const ids = imagesOf(document);
      if (ids.length === 0) return;
      const sizes = await queries.imageSizes(ctx.db, visibilityScopeOf(ctx.viewer), ids);
      if (sizes.length < ids.length) {
        throw invalidField('document', 'An image is not there any more. Remove it, or add it again.');
      }
      if (sizes.reduce((sum, { size }) => sum + size, 0) > MAX_IMAGES_BYTES) {
        throw invalidField(
          'document',
          `The images of a template may have at most ${formatMegabytes(MAX_IMAGES_BYTES)} together`,
        );
      }
      await queries.insertUses(ctx.db, templateId, ids);
    },

    /** Returns the images of a preview; for a template being edited only images visible to the viewer. */
    visibleFiles: async (ctx: Context, ids: string[]) =>
      withContentIfThere(await queries.visibleImageFiles(ctx.db, visibilityScopeOf(ctx.viewer), ids)),

    /** Returns the images of a message that is shown. The caller checks who may read it. */
    shownFiles: async (db: Db | Tx, ids: string[]) => withContentIfThere(await queries.imageFiles(db, ids)),

    /** Returns the images of a message that is sent. Throws MissingContentError if one has no content. */
    files: async (db: Db | Tx, ids: string[]) => withContent(await queries.imageFiles(db, ids)),

    /** Preserves images as long as the message is stored. */
    attachToEmail: queries.insertEmailImages,
  };
}

const endingOf = (type: string): string => type.slice('image/'.length);

const imagesOf = (document: TemplateDocument): string[] => [
  ...new Set(simpleBlocksOf(document).flatMap((block) => (block.type === 'image' ? [block.imageId] : []))),
];
