import { Tooltip, UnstyledButton } from '@mantine/core';
import { useEditorState, type Editor } from '@tiptap/react';
import EyeDashed from 'lucide-react/icons/eye-dashed';
import type { ReactNode } from 'react';
import { texts } from '../../../texts/email-templates.ts';
import { VariableMenu } from '../VariableMenu.tsx';
import { canHaveCondition, conditionAround, removeCondition, setCondition } from './conditional-commands.ts';
import styles from './Toolbar.module.css';

/** Sets, changes or removes the condition of the selected blocks. */
export function ConditionButton({ editor }: { editor: Editor }): ReactNode {
  const { key, isPossible } = useEditorState({
    editor,
    selector: ({ editor: { state } }) => ({
      key: conditionAround(state)?.key,
      isPossible: canHaveCondition(state),
    }),
  });
  return (
    <VariableMenu
      heading={texts.shownOnlyWhen}
      impossible={isPossible ? undefined : texts.conditionImpossible}
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
