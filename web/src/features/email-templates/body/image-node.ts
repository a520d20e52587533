import { Node, ReactNodeViewRenderer } from '@tiptap/react';
import { ImageBlock } from './ImageBlock.tsx';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const idOf = (element: HTMLElement): string => element.dataset['image'] ?? '';

/** An uploaded image, with its description and width (contract `Image`). Pasted HTML images are not accepted. */
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

  // No `img`: pasting must not load an image from its address.
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
