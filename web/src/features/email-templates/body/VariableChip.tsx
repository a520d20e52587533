import { NodeViewWrapper, type NodeViewProps } from '@tiptap/react';
import { useContext, type ReactNode } from 'react';
import { texts } from '../../../texts/email-templates.ts';
import { DeclaredVariables } from '../variable-choices.ts';
import styles from './BodyEditor.module.css';

/** A variable in the text, by its label; one that the template does not declare is marked. */
export function VariableChip({ node, selected }: NodeViewProps): ReactNode {
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
