import { useLayoutEffect, useRef, type ReactElement } from 'react';
import type { GridRecord } from './columns.ts';
import { SelectEditor } from './SelectEditor.tsx';
import type { CellEditorProps } from './use-editing.ts';

const PLACEHOLDERS = { date: 'd/m/yyyy', datetime: 'd/m/yyyy h:mm' } as const;

/**
 * The only control inside the cells. Keys bubble to the grid, which handles Enter, Escape and Tab.
 *
 * It is focused in a layout effect: React runs it in a microtask of the keydown that opened the editor, before the
 * browser handles the key, so that the character (or the dead key that starts one) is typed into the editor.
 */
export function CellEditor<R extends GridRecord>(props: CellEditorProps<R>): ReactElement {
  const { column, session, prefix } = props;
  if (column.type === 'select') return <SelectEditor {...props} />;
  return <TextEditor key={column.id} column={column} session={session} prefix={prefix} />;
}

function TextEditor<R extends GridRecord>({ column, session, prefix }: CellEditorProps<R>): ReactElement {
  const control = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const element = control.current;
    element?.focus({ preventScroll: true });
    element?.setSelectionRange(element.value.length, element.value.length);
    const bounds = element?.closest('.grid-root')?.getBoundingClientRect();
    if (!element || !bounds) return;
    // Only the box for notes is larger than its cell; at the lower or right edge it opens in the other direction.
    const { bottom, right } = element.getBoundingClientRect();
    element.classList.toggle('upwards', bottom > bounds.bottom);
    element.classList.toggle('leftwards', right > bounds.right);
  }, []);
  const shared = {
    ref: control,
    className: 'grid-editor',
    defaultValue: session.initialText,
    'aria-label': column.header,
    'aria-invalid': session.problem !== null,
    'aria-describedby': session.problem === null ? undefined : `${prefix}note`,
    autoComplete: 'off',
    spellCheck: column.type === 'multiline',
    onInput: (event: { currentTarget: { value: string } }) => session.draft(event.currentTarget.value),
  };
  if (column.type === 'multiline') return <textarea {...shared} rows={5} />;
  return (
    <input
      {...shared}
      inputMode={column.type === 'number' || column.type === 'currency' ? 'decimal' : 'text'}
      placeholder={
        column.type === 'date' || column.type === 'datetime' ? PLACEHOLDERS[column.type] : undefined
      }
    />
  );
}
