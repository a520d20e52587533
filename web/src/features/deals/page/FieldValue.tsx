import { Button } from '@mantine/core';
import { useId, useRef, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { blockedReason, CellEditor, type Editing, type GridColumn } from '../../../grid/grid.ts';
import { texts } from '../../../texts/deal-page.ts';
import { abilityProps, guarded } from '../../../ui/ability.ts';
import { Tooltip } from '../../../ui/Tooltip.tsx';
import { useDataEntry } from '../data-entry-context.ts';
import type { DealRow } from '../deal-row.ts';
import styles from './DealPage.module.css';

type FieldValueProps = {
  row: DealRow;
  column: GridColumn<DealRow>;
  editing: Editing;
  /** The value as text; empty if there is none. */
  text: string;
  /** Rendered beside the value. */
  children: ReactNode;
};

/**
 * A value that is edited in place with the editor of its cell. A click or Enter opens it; Enter saves (in a text of
 * several lines Ctrl+Enter), Escape cancels, Tab and a click elsewhere save and leave it, Alt+Enter opens its details.
 * Phones have buttons for these keys.
 */
export function FieldValue({ row, column, editing, text, children }: FieldValueProps): ReactNode {
  const { isPhone } = useDataEntry();
  const box = useRef<HTMLDivElement>(null);
  const prefix = useId();
  const cell = { key: row.key, columnId: column.id };
  const session = editing.session?.columnId === column.id ? editing.session : null;
  const reason = blockedReason(column, row) ?? null;
  const ability = reason ?? true;
  const hasButtons = isPhone && column.type !== 'select';

  /** Focuses the value before the browser handles the key. */
  const end = (how: 'save' | 'leave' | 'cancel'): void => {
    flushSync(() => editing.finish(how));
    box.current?.querySelector<HTMLElement>(':scope > button')?.focus({ preventScroll: true });
  };
  const openDetails = (): void => {
    end('save');
    editing.openDetails(cell);
  };
  const press = (event: KeyboardEvent): void => {
    const { key, altKey, ctrlKey, metaKey, nativeEvent } = event;
    const opensDetails = key === 'Enter' && altKey && column.details !== undefined;
    if ((session === null && !opensDetails) || nativeEvent.isComposing) return;
    const saves = key === 'Enter' && (column.type !== 'multiline' || ctrlKey || metaKey);
    if (opensDetails) openDetails();
    else if (saves) end('save');
    else if (key === 'Escape') end('cancel');
    // Tab then moves from the value to the next element.
    else if (key === 'Tab') return end('leave');
    else return;
    event.preventDefault();
  };

  return (
    <>
      <div className="ui-line ui-gap-1">
        {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the events of its editor */}
        <div
          ref={box}
          className={styles.value}
          data-edited={session !== null || undefined}
          onKeyDown={press}
          onClick={({ target }) => {
            if (!(target instanceof Element)) return;
            if (target.matches('.grid-list-details')) openDetails();
            else if (target.closest('[role="option"]')) end('save');
          }}
          onBlur={({ currentTarget, relatedTarget, target }) => {
            // The editor stays open if the user switches to another window.
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
                onClick={guarded(ability, () => editing.start(cell))}
              >
                {text || texts.none}
              </button>
            </Tooltip>
          ) : (
            <>
              <span ref={isPhone ? showAtTop : null} aria-hidden>
                {text || texts.none}
              </span>
              <CellEditor column={column} session={session} prefix={prefix} />
              {(session.problem !== null || hasButtons) && (
                <div className={styles.below}>
                  {session.problem !== null && (
                    <p id={`${prefix}note`} role="alert" className="ui-sub ui-danger">
                      {session.problem}
                    </p>
                  )}
                  {hasButtons && (
                    <div className="ui-row">
                      <Button onPointerDown={keepFocus} onClick={() => end('save')}>
                        {texts.save}
                      </Button>
                      <Button variant="default" onPointerDown={keepFocus} onClick={() => end('cancel')}>
                        {texts.cancel}
                      </Button>
                    </div>
                  )}
                </div>
              )}
            </>
          )}
        </div>
        {children}
      </div>
      {isPhone && session === null && reason !== null && <p className="ui-sub">{reason}</p>}
    </>
  );
}

/** Keeps the focus in the editor, which a touch on its buttons would otherwise leave and save. */
const keepFocus = (event: PointerEvent): void => event.preventDefault();

/** Scrolled above the keyboard of a phone before the list of the editor is positioned. */
const showAtTop = (value: HTMLElement | null): void => value?.scrollIntoView({ block: 'start' });
