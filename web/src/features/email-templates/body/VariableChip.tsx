import { PLACEHOLDER } from '@forecourt/contract/template-limits';
import {
  NodeViewWrapper,
  type NodeViewProps,
  InputRule,
  mergeAttributes,
  Node,
  nodePasteRule,
  ReactNodeViewRenderer,
} from '@tiptap/react';
import { useContext, type ReactNode } from 'react';
import { texts } from '../../../texts/email-templates.ts';
import { DeclaredVariables } from '../variable-choices.ts';
import styles from './BodyEditor.module.css';

/** A variable in the text, displayed by its label. An undeclared one is marked. */
function VariableChip({ node, selected }: NodeViewProps): ReactNode {
  const key = String(node.attrs['key']);
  const declared = useContext(DeclaredVariables).find((variable) => variable.key === key);
  return (
    <NodeViewWrapper
      as="span"
      className={styles.chip}
      data-unknown={declared === undefined || undefined}
      data-selected={selected || undefined}
      title={declared ? `{{${key}}}` : texts.unknownChip(key)}
    >
      {declared?.label ?? key}
    </NodeViewWrapper>
  );
}

/** A variable in the text: an atom with the formats of text. Typed, pasted and copied as `{{key}}`. */
export const Variable = Node.create({
  name: 'variable',
  group: 'inline',
  inline: true,
  atom: true,

  addAttributes: () => ({
    key: {
      default: '',
      parseHTML: (element: HTMLElement) => element.dataset['variable'] ?? '',
      rendered: false,
    },
  }),

  parseHTML: () => [{ tag: 'span[data-variable]' }],

  renderHTML: ({ node, HTMLAttributes }) => [
    'span',
    mergeAttributes(HTMLAttributes, { 'data-variable': String(node.attrs['key']) }),
    `{{${String(node.attrs['key'])}}}`,
  ],

  renderText: ({ node }) => `{{${String(node.attrs['key'])}}}`,

  addNodeView: () => ReactNodeViewRenderer(VariableChip),

  addInputRules() {
    return [
      new InputRule({
        find: new RegExp(`${PLACEHOLDER.source}$`),
        handler: ({ state, range, match }) => {
          const marks = state.selection.$from.marks();
          state.tr.replaceWith(range.from, range.to, this.type.create({ key: match[1] }, null, marks));
        },
      }),
    ];
  },

  addPasteRules() {
    return [
      nodePasteRule({
        find: PLACEHOLDER,
        type: this.type,
        getAttributes: ([, key]) => ({ key }),
      }),
    ];
  },
});
