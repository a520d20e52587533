import type { TemplateVariable } from '@forecourt/contract/email-templates';
import { Tooltip, UnstyledButton } from '@mantine/core';
import { useEditorState, type Editor } from '@tiptap/react';
import EyeDashed from 'lucide-react/icons/eye-dashed';
import type { ReactNode } from 'react';
import { texts } from '../../../texts/email-templates.ts';
import { VariableMenu } from '../VariableMenu.tsx';
import { canHaveCondition, conditionAround, removeCondition, setCondition } from './conditional-commands.ts';
import styles from './Toolbar.module.css';

type ConditionButtonProps = { editor: Editor; variables: readonly TemplateVariable[] };

/** Gives the selected blocks a condition, changes the one they have, or takes it away. */
export function ConditionButton({ editor, variables }: ConditionButtonProps): ReactNode {
  const { key, isPossible } = useEditorState({
    editor,
    selector: ({ editor: { state } }) => ({
      key: conditionAround(state)?.key,
      isPossible: canHaveCondition(state),
    }),
  });
  return (
    <VariableMenu
      variables={isPossible ? variables : []}
      heading={texts.shownOnlyWhen}
      empty={isPossible ? texts.noVariables : texts.conditionImpossible}
      current={key}
      position="bottom-start"
      onPick={(chosen) => setCondition(editor, chosen.key)}
      onRemove={key === undefined ? undefined : () => removeCondition(editor)}
    >
      <Tooltip label={texts.condition}>
        <UnstyledButton
          className={styles.tool}
          tabIndex={-1}
          aria-label={texts.condition}
          aria-pressed={key !== undefined}
          aria-disabled={!isPossible || undefined}
        >
          <EyeDashed />
        </UnstyledButton>
      </Tooltip>
    </VariableMenu>
  );
}
