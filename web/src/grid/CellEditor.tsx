import { normaliseText } from '@forecourt/contract/characters';
import { useLayoutEffect, useRef, type ReactElement, useEffect, useState, type KeyboardEvent } from 'react';
import type { CellType, GridRecord, SelectOption } from './columns.ts';
import type { CellEditorProps } from './use-editing.ts';

const INPUT_MODES: { readonly [type in CellType]?: 'decimal' | 'tel' } = {
  number: 'decimal',
  currency: 'decimal',
  phone: 'tel',
};

const PLACEHOLDERS = { date: 'd/m/yyyy', datetime: 'd/m/yyyy h:mm' } as const;

/**
 * The only control inside the cells. Keys bubble to the grid, which handles Enter, Escape and Tab.
 *
 * A layout effect focuses it: React runs the effect in a microtask of the keydown that opened the editor, before the
 * browser handles the key, so that the character (or the dead key before it) is typed into the editor.
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
    // The editor of notes is larger than its cell: at the lower or right edge it opens in the other direction.
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
      inputMode={column.inputMode ?? INPUT_MODES[column.type] ?? 'text'}
      placeholder={
        column.type === 'date' || column.type === 'datetime' ? PLACEHOLDERS[column.type] : undefined
      }
    />
  );
}

// oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-element-to-interactive-role -- a <select> has no text box, a <datalist> does not restrict the value

/**
 * A combobox: typing filters the list, arrow keys move in it, Enter or a click chooses the marked option. The marked
 * option becomes the draft at once, so that Enter, Tab and blur work as in a text editor. If several options are
 * allowed, a comma or a click chooses one and starts the next.
 */
function SelectEditor<R extends GridRecord>({ column, session, prefix }: CellEditorProps<R>): ReactElement {
  const { options = [], lastOption, details } = column;
  const partOf = (text: string) => lastOption?.(text) ?? { before: '', typed: text, after: '' };
  const [initial] = useState(() => {
    const { initialText: own, replaces, problem } = session;
    return lastOption && !replaces && problem === null && own !== '' ? own + SEPARATOR : own;
  });
  const [typed, setTyped] = useState<string | null>(session.replaces || lastOption ? initial : null);
  const matches = typed === null ? options : matching(options, partOf(typed).typed);
  const [marked, setMarked] = useState(() =>
    lastOption ? -1 : options.findIndex((option) => option.label === session.initialText),
  );
  const drafted = useRef(session.initialText);
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const listId = `${prefix}list`;

  const selectsAll = !session.replaces && !lastOption;
  useLayoutEffect(() => {
    const [box, popup] = [input.current, list.current];
    if (!box || !popup) return;
    box.focus({ preventScroll: true });
    if (selectsAll) box.select();
    else box.setSelectionRange(box.value.length, box.value.length);
    // In the top layer the containment of the scroller does not clip it.
    popup.showPopover();
    const cell = box.getBoundingClientRect();
    const below = cell.bottom + popup.offsetHeight <= window.innerHeight;
    popup.style.left = `${cell.left}px`;
    if (below) popup.style.top = `${cell.bottom}px`;
    else popup.style.bottom = `${window.innerHeight - cell.top}px`;
    popup.style.minWidth = `${cell.width}px`;
  }, [selectsAll]);

  useEffect(() => {
    list.current?.children[marked]?.scrollIntoView({ block: 'nearest' });
  }, [marked]);

  function draft(text: string) {
    drafted.current = text;
    session.draft(text);
  }

  function mark(index: number) {
    setMarked(index);
    const option = matches[index];
    const { before, after } = partOf(typed ?? '');
    if (option) draft(before + option.label + after);
  }

  function onInput(text: string) {
    setTyped(text);
    const { before, typed: name, after } = partOf(text);
    const best = name === '' ? undefined : matching(options, name)[0];
    setMarked(name === '' ? -1 : 0);
    draft(best ? before + best.label + after : text);
  }

  /** Starts the next option of a value with several. */
  function startNext() {
    if (!input.current) return;
    input.current.value = drafted.current + SEPARATOR;
    onInput(input.current.value);
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    const { selectionEnd, value } = event.currentTarget;
    if (lastOption && /^[,;]$/.test(event.key) && matches[marked] && selectionEnd === value.length) {
      event.preventDefault();
      startNext();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || matches.length === 0) return;
    event.preventDefault();
    mark((Math.max(marked, step < 0 ? 0 : -1) + step + matches.length) % matches.length);
  }

  return (
    <>
      <input
        ref={input}
        className="grid-editor"
        role="combobox"
        aria-label={column.header}
        aria-expanded
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={matches[marked] && `${listId}${marked}`}
        aria-invalid={session.problem !== null}
        aria-describedby={session.problem === null ? undefined : `${prefix}note`}
        autoComplete="off"
        spellCheck={false}
        defaultValue={initial}
        onInput={(event) => onInput(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div
        ref={list}
        id={listId}
        role="listbox"
        aria-label={column.header}
        className="grid-list"
        popover="manual"
      >
        {matches.map((option, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the text box has the focus and the keys
          <div
            key={option.value}
            id={`${listId}${index}`}
            role="option"
            aria-selected={index === marked}
            className={option.className}
            onPointerDown={(event) => {
              event.preventDefault();
              mark(index);
            }}
            onClick={(event) => {
              if (!lastOption) return;
              event.stopPropagation();
              startNext();
            }}
          >
            {option.label}
          </div>
        ))}
        {matches.length === 0 && (
          <div role="option" aria-disabled aria-selected={false} className="grid-list-empty">
            Nothing matches
          </div>
        )}
        {details && (
          <div
            role="option"
            aria-selected={false}
            className="grid-list-details"
            onPointerDown={(event) => event.preventDefault()}
          >
            {details.label}
          </div>
        )}
      </div>
    </>
  );
}

const SEPARATOR = ', ';

/**
 * Returns the matching options: the one with this label, then those that start with the text, those with a word that
 * starts with it, and those that contain it.
 */
function matching(options: readonly SelectOption[], text: string): readonly SelectOption[] {
  const searchText = normaliseText(text).trim().toLowerCase();
  const ranks = [
    (label: string) => label === searchText,
    (label: string) => label.startsWith(searchText),
    (label: string) => label.includes(` ${searchText}`),
    (label: string) => label.includes(searchText),
  ];
  const rankOf = ({ label }: SelectOption) => ranks.findIndex((fits) => fits(label.toLowerCase()));
  return options.filter((option) => rankOf(option) >= 0).toSorted((a, b) => rankOf(a) - rankOf(b));
}
