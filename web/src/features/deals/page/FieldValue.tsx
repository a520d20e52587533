import { useId, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { blockedReason, CellEditor, type Editing, type GridColumn } from '../../../grid/grid.ts';
import { texts } from '../../../texts/deal-page.ts';
import { abilityProps, guarded } from '../../../ui/ability.ts';
import { Tooltip } from '../../../ui/Tooltip.tsx';
import type { DealRow } from '../deal-row.ts';
import styles from './DealPage.module.css';

type FieldValueProps = {
  row: DealRow;
  column: GridColumn<DealRow>;
  editing: Editing;
  /** The value as text; '' for none. */
  text: string;
};

/**
 * A value that is edited where it is shown, with the editor of its cell: a click or Enter opens it, Enter saves (in a text
 * of several lines Ctrl+Enter), Escape cancels, Tab and a click elsewhere leave it saved.
 */
export function FieldValue({ row, column, editing, text }: FieldValueProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const prefix = useId();
  const session = editing.session?.columnId === column.id ? editing.session : null;
  const reason = blockedReason(column, row) ?? null;
  const ability = reason ?? true;

  /** The value has the focus again before the browser handles the key. */
  const end = (how: 'save' | 'leave' | 'cancel'): void => {
    flushSync(() => editing.finish(how));
    box.current?.querySelector('button')?.focus({ preventScroll: true });
  };
  const press = (event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, nativeEvent } = event;
    if (session === null || nativeEvent.isComposing) return;
    const saves = key === 'Enter' && (column.type !== 'multiline' || ctrlKey || metaKey);
    if (saves) end('save');
    else if (key === 'Escape') end('cancel');
    // The next element is the one after the value.
    else if (key === 'Tab') return end('leave');
    else return;
    event.preventDefault();
  };

  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the events of its editor */}
      <div
        ref={box}
        className={styles.value}
        data-edited={session !== null || undefined}
        onKeyDown={press}
        onClick={({ target }) => {
          if (target instanceof Element && target.closest('[role="option"]')) end('save');
        }}
        onBlur={({ currentTarget, relatedTarget, target }) => {
          // Another window leaves the editor open.
          const stays = currentTarget.contains(relatedTarget) || document.activeElement === target;
          if (session !== null && !stays) editing.finish('leave');
        }}
      >
        {session === null ? (
          <Tooltip label={reason ?? ''} disabled={reason === null}>
            <button
              type="button"
              aria-label={texts.editField(column.header, text)}
              {...abilityProps(ability)}
              onClick={guarded(ability, () => editing.start({ key: row.key, columnId: column.id }))}
            >
              {text || texts.none}
            </button>
          </Tooltip>
        ) : (
          <>
            <span aria-hidden>{text || texts.none}</span>
            <CellEditor column={column} session={session} prefix={prefix} />
          </>
        )}
      </div>
      {session !== null && session.problem !== null && (
        <p id={`${prefix}note`} role="alert" className="ui-sub ui-danger">
          {session.problem}
        </p>
      )}
    </>
  );
}
