import { ActionIcon, Button } from '@mantine/core';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import Plus from 'lucide-react/icons/plus';
import Search from 'lucide-react/icons/search';
import X from 'lucide-react/icons/x';
import { useEffect, useEffectEvent, useState, type ReactNode, type Ref } from 'react';
import { formatMonth } from '../../platform/formats.ts';
import { texts } from '../../texts/deals.ts';
import { Tooltip } from '../../ui/Tooltip.tsx';
import type { DealView } from './deals.queries.ts';
import { monthAfter } from './use-deal-view.ts';
import styles from './DealsToolbar.module.css';

/** A search begins when somebody has stopped typing for this long. */
const SEARCH_MS = 250;

type Show = (change: Partial<DealView>) => void;
type DealsToolbarProps = {
  view: DealView;
  show: Show;
  mayChooseMonth: boolean;
  searchRef: Ref<HTMLInputElement>;
  /** Enter in the search: on to the next cell that holds it. */
  onFindNext: (backwards: boolean) => void;
  /** From the search into the table: to its first row, or back to where somebody stood. */
  onLeaveSearch: (to: 'first' | 'back') => void;
  /** What decides which rows and columns are shown; who else is here, last, so that nothing moves when they come. */
  arranging: ReactNode;
  /** Buttons at the right; the main one last. */
  children: ReactNode;
};

/** The head of the screen: which rows, and what can be done with them. */
export function DealsToolbar({
  view,
  show,
  mayChooseMonth,
  searchRef,
  onFindNext,
  onLeaveSearch,
  arranging,
  children,
}: DealsToolbarProps): ReactNode {
  return (
    <header className={styles.toolbar}>
      <h1 className={styles.title}>{texts.title}</h1>
      {mayChooseMonth ? (
        <MonthChooser month={view.month} onChange={(month) => show({ month, search: '' })} />
      ) : (
        <span className={styles.fixedMonth}>{formatMonth(view.month)}</span>
      )}
      <SearchBox
        label={view.inMonth ? texts.searchMonth : texts.searchAll}
        shown={view.search}
        onSearch={(search) => show({ search })}
        inputRef={searchRef}
        onFindNext={onFindNext}
        onLeave={onLeaveSearch}
      />
      <div className={styles.arranging}>{arranging}</div>
      <div className={styles.actions}>{children}</div>
    </header>
  );
}

function MonthChooser({ month, onChange }: { month: string; onChange: (month: string) => void }): ReactNode {
  return (
    <div className={styles.month}>
      <Tooltip label={texts.previousMonth}>
        <ActionIcon aria-label={texts.previousMonth} onClick={() => onChange(monthAfter(month, -1))}>
          <ChevronLeft />
        </ActionIcon>
      </Tooltip>
      <label className={styles.pick}>
        <span className={styles.monthName}>{formatMonth(month)}</span>
        <input
          type="month"
          aria-label={texts.month}
          value={month}
          required
          onClick={(event) => event.currentTarget.showPicker()}
          onChange={(event) => event.currentTarget.value !== '' && onChange(event.currentTarget.value)}
        />
      </label>
      <Tooltip label={texts.nextMonth}>
        <ActionIcon aria-label={texts.nextMonth} onClick={() => onChange(monthAfter(month, 1))}>
          <ChevronRight />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}

type SearchBoxProps = {
  label: string;
  /** What the address says is searched for. */
  shown: string;
  onSearch: (search: string) => void;
  inputRef: Ref<HTMLInputElement>;
  onFindNext: (backwards: boolean) => void;
  onLeave: DealsToolbarProps['onLeaveSearch'];
};

function SearchBox({ label, shown, onSearch, inputRef, onFindNext, onLeave }: SearchBoxProps): ReactNode {
  const [text, setText] = useState(shown);
  const [asked, setAsked] = useState(shown);
  const [seen, setSeen] = useState(shown);
  if (shown !== seen) {
    setSeen(shown);
    // Another month was chosen, or the browser went back: not the answer to what is being typed here.
    if (shown !== asked) setText(shown);
    setAsked(shown);
  }
  const search = useEffectEvent(onSearch);
  const wanted = text.trim();
  useEffect(() => {
    if (wanted === shown) return undefined;
    const ask = (): void => {
      setAsked(wanted);
      search(wanted);
    };
    const timer = setTimeout(ask, wanted === '' ? 0 : SEARCH_MS);
    return () => clearTimeout(timer);
  }, [wanted, shown]);
  return (
    <div className={styles.search}>
      <Search size={14} />
      <input
        ref={inputRef}
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        maxLength={120}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          const { key, altKey, ctrlKey, metaKey } = event;
          if (altKey || ctrlKey || metaKey) return;
          if (key === 'Escape' && text === '') onLeave('back');
          else if (key === 'Escape') setText('');
          else if (key === 'Enter') onFindNext(event.shiftKey);
          else if (key === 'ArrowDown') onLeave('first');
          else return;
          event.preventDefault();
        }}
      />
      {text !== '' && (
        <ActionIcon
          className={styles.clear ?? ''}
          size={22}
          aria-label={texts.clearSearch}
          onClick={() => setText('')}
        >
          <X size={14} />
        </ActionIcon>
      )}
    </div>
  );
}

/** The one accent of the screen: it goes where the typing begins. */
export function NewRowButton({ onClick }: { onClick: () => void }): ReactNode {
  return (
    <Tooltip label={texts.newRowNote}>
      <Button leftSection={<Plus />} onClick={onClick} aria-keyshortcuts="Alt+N">
        {texts.newRow}
      </Button>
    </Tooltip>
  );
}
