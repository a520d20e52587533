import { VARIABLE_KEY } from '@forecourt/contract/template-limits';
import { ActionIcon, UnstyledButton } from '@mantine/core';
import {
  NodeViewContent,
  NodeViewWrapper,
  type NodeViewProps,
  mergeAttributes,
  Node,
  ReactNodeViewRenderer,
} from '@tiptap/react';
import ChevronDown from 'lucide-react/icons/chevron-down';
import X from 'lucide-react/icons/x';
import { useContext, type ReactNode } from 'react';
import { texts } from '../../../texts/email-templates.ts';
import { DeclaredVariables } from '../variable-choices.ts';
import { VariableMenu } from '../VariableMenu.tsx';
import { removeCondition, setCondition, type Condition } from './conditional-commands.ts';
import styles from './ConditionalFrame.module.css';

/** A frame around conditional blocks. Its header shows the variable, and changes or removes it. */
function ConditionalFrame({ node, editor, getPos }: NodeViewProps): ReactNode {
  const key = String(node.attrs['key']);
  const declared = useContext(DeclaredVariables).find((variable) => variable.key === key);
  const label = declared?.label ?? key;
  const here = (): Condition | null => {
    const position = getPos();
    return position === undefined ? null : { position, key };
  };
  const tone = declared === undefined ? 'ui-bad' : 'ui-accent';
  return (
    <NodeViewWrapper
      className={styles.frame}
      role="group"
      aria-label={texts.shownWhen(label)}
      data-unknown={declared === undefined || undefined}
    >
      <div className={`ui-line ui-between ui-quiet ${styles.head}`} contentEditable={false}>
        <span className="ui-row ui-gap-1">
          {texts.shownOnlyWhen}
          {editor.isEditable ? (
            <VariableMenu
              current={key}
              position="bottom-start"
              onPick={(chosen) => setCondition(editor, chosen.key, here())}
            >
              <UnstyledButton
                className={`ui-inline ui-small ${tone} ${styles.variable}`}
                aria-label={texts.changeCondition(label)}
                title={declared ? `{{${key}}}` : texts.unknownChip(key)}
              >
                {label} <ChevronDown size={12} />
              </UnstyledButton>
            </VariableMenu>
          ) : (
            <span className={`ui-inline ui-small ${tone} ${styles.variable}`}>{label}</span>
          )}
          {texts.hasValue}
        </span>
        {editor.isEditable && (
          <ActionIcon
            size={24}
            aria-label={texts.removeCondition}
            title={texts.removeCondition}
            onClick={() => removeCondition(editor, here())}
          >
            <X size={14} />
          </ActionIcon>
        )}
      </div>
      <NodeViewContent className={styles.content} />
    </NodeViewWrapper>
  );
}

/** Blocks that a message contains only if a variable has a value (contract `Conditional`). */
export const Conditional = Node.create({
  name: 'conditional',
  group: 'block',
  content: '(paragraph | heading | bulletList | orderedList | horizontalRule | button | table | image)+',
  defining: true,
  selectable: false,

  addAttributes: () => ({
    key: {
      default: '',
      parseHTML: (element: HTMLElement) => element.dataset['shownWhen'] ?? '',
      rendered: false,
    },
  }),

  parseHTML: () => [
    {
      tag: 'div[data-shown-when]',
      // Pasted content may contain any text as the key.
      getAttrs: (element) => (VARIABLE_KEY.test(element.dataset['shownWhen'] ?? '') ? null : false),
    },
  ],

  renderHTML: ({ node, HTMLAttributes }) => [
    'div',
    mergeAttributes(HTMLAttributes, { 'data-shown-when': String(node.attrs['key']) }),
    0,
  ],

  addNodeView: () => ReactNodeViewRenderer(ConditionalFrame),
});
