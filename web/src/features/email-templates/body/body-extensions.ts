import { LINK_ADDRESS } from '@forecourt/contract/template-limits';
import { Placeholder } from '@tiptap/extensions';
import { Node } from '@tiptap/react';
import { StarterKit } from '@tiptap/starter-kit';
import { texts } from '../../../texts/email-templates.ts';
import { ButtonNode } from './ButtonBlock.tsx';
import { Conditional } from './ConditionalFrame.tsx';
import { ImageNode } from './ImageBlock.tsx';
import { PastedImages } from './pasted-images.ts';
import { tableNodes } from './table-nodes.ts';
import { Variable } from './VariableChip.tsx';

/** An item is one paragraph: mail programs render deeper lists differently, so the contract has none. */
const ListItem = Node.create({
  name: 'listItem',
  content: 'paragraph',
  defining: true,
  parseHTML: () => [{ tag: 'li' }],
  renderHTML: () => ['li', 0],
  addKeyboardShortcuts() {
    return { Enter: () => this.editor.commands.splitListItem(this.name) };
  },
});

/** The complete schema of a template's body (contract `TemplateDocument`). */
export const bodyExtensions = [
  StarterKit.configure({
    blockquote: false,
    code: false,
    codeBlock: false,
    listItem: false,
    heading: { levels: [1, 2, 3] },
    link: {
      openOnClick: false,
      defaultProtocol: 'https',
      isAllowedUri: (address) => LINK_ADDRESS.test(address),
      HTMLAttributes: { target: null, rel: null, class: null },
    },
  }),
  ListItem,
  Variable,
  ButtonNode,
  ImageNode,
  PastedImages,
  ...tableNodes,
  Conditional,
  Placeholder.configure({ placeholder: texts.bodyPlaceholder }),
];
