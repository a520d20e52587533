import { IMAGE_WIDTH } from '@forecourt/contract/image-limits';
import type { TemplateImage } from '@forecourt/contract/template-images';
import { useQuery } from '@tanstack/react-query';
import { NodeViewWrapper, type NodeViewProps, Node, ReactNodeViewRenderer } from '@tiptap/react';
import ImageOff from 'lucide-react/icons/image-off';
import type { ReactNode } from 'react';
import { texts } from '../../../texts/email-templates.ts';
import { imageQuery } from '../email-templates.queries.ts';
import styles from './ImageBlock.module.css';

/** An image in the width of the message, or its description if it cannot be loaded. */
function ImageBlock({ node, selected }: NodeViewProps): ReactNode {
  const { imageId, alt, width } = node.attrs;
  const { data, error } = useQuery(imageQuery(String(imageId)));
  return (
    <NodeViewWrapper className={styles.block} data-selected={selected || undefined} data-drag-handle>
      {data ? (
        <img src={data} alt={String(alt)} width={Number(width)} className={styles.image} draggable={false} />
      ) : (
        <span className={`ui-line ui-quiet ${styles.missing}`} style={{ width: Number(width) }}>
          {error && <ImageOff size={16} aria-label={texts.imageMissing} />} {String(alt)}
        </span>
      )}
    </NodeViewWrapper>
  );
}

/** Returns the attributes of an uploaded image, with the maximum width. */
export const imageAttributes = ({ _id, width }: TemplateImage, alt: string) => ({
  imageId: _id,
  alt,
  width: Math.min(IMAGE_WIDTH.max, Math.max(IMAGE_WIDTH.min, Math.round(width))),
});

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const idOf = (element: HTMLElement): string => element.dataset['image'] ?? '';

/** An uploaded image with description and width (contract `Image`). Pasted HTML images are not accepted. */
export const ImageNode = Node.create({
  name: 'image',
  group: 'block',
  atom: true,
  draggable: true,

  addAttributes: () => ({
    imageId: { default: '', parseHTML: idOf, rendered: false },
    alt: { default: '', parseHTML: (element: HTMLElement) => element.title, rendered: false },
    width: {
      default: 320,
      parseHTML: (element: HTMLElement) => Number(element.dataset['width']),
      rendered: false,
    },
  }),

  // `img` is left out, because pasting must not load an image from a URL.
  parseHTML: () => [
    { tag: 'figure[data-image]', getAttrs: (element) => (UUID.test(idOf(element)) ? null : false) },
  ],

  renderHTML: ({ node: { attrs } }) => [
    'figure',
    {
      'data-image': String(attrs['imageId']),
      'data-width': String(attrs['width']),
      title: String(attrs['alt']),
    },
  ],

  addNodeView: () => ReactNodeViewRenderer(ImageBlock),
});
