import { firstCharacters, MAX_SEARCH_LENGTH } from '@forecourt/contract/characters';
import { ActionIcon, Button } from '@mantine/core';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import Columns3 from 'lucide-react/icons/columns-3';
import FileUp from 'lucide-react/icons/file-up';
import Funnel from 'lucide-react/icons/funnel';
import Group from 'lucide-react/icons/group';
import LayoutList from 'lucide-react/icons/layout-list';
import Plus from 'lucide-react/icons/plus';
import Search from 'lucide-react/icons/search';
import X from 'lucide-react/icons/x';
import { Suspense, useEffect, useEffectEvent, useState, type ReactNode, type Ref } from 'react';
import { lazyAfterFirstPaint } from '../../../platform/first-screen.ts';
import { formatMonth } from '../../../platform/formats.ts';
import { useLiveRefresh } from '../../../platform/live-events.ts';
import { monthAfter } from '../../../platform/months.ts';
import { usePermissions } from '../../../platform/permissions.ts';
import { useScreenCommands } from '../../../platform/screen-commands.ts';
import { texts as viewTexts } from '../../../texts/deal-views.ts';
import { texts } from '../../../texts/deals.ts';
import { ActionButton, IconAction } from '../../../ui/ActionButton.tsx';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { useOpener, type Opener } from '../../../ui/use-opener.ts';
import { dealViewsKey } from '../../deal-views/deal-views.queries.ts';
import { shortcutProps, type ToolbarAction } from '../actions/screen-actions.ts';
import { useDataEntry } from '../data-entry-context.ts';
import type { DealView } from '../deal-view.ts';
import type { FilterPart } from '../views/filter.ts';
import type { UsedView } from '../views/use-arrangement.ts';
import type { DealFilterProps } from './DealFilterPanel.tsx';
import styles from './DealsToolbar.module.css';

const ColumnPanel = lazyAfterFirstPaint(() => import('./ColumnPanel.tsx'));
const DealGroupMenu = lazyAfterFirstPaint(() => import('./DealGroupMenu.tsx'));
const DealFilterPanel = lazyAfterFirstPaint(() => import('./DealFilterPanel.tsx'));
const FilterChips = lazyAfterFirstPaint(() => import('./FilterChips.tsx'));
const DealImport = lazyPart(() => import('../import/DealImport.tsx'));
const DealViewsMenu = lazyAfterFirstPaint(() => import('../views/DealViewsMenu.tsx'));

/** Debounce of the search, in milliseconds. */
const SEARCH_MS = 250;

type DealsToolbarProps = {
  show: (change: Partial<DealView>) => void;
  canChooseMonth: boolean;
  searchRef: Ref<HTMLInputElement>;
  /** Enter in the search focuses the next cell that matches. */
  onFindNext: (backwards: boolean) => void;
  /** Moves the focus from the search to the first row, or back to the active cell. */
  onLeaveSearch: (to: 'first' | 'back') => void;
  /** Controls of the displayed rows and columns. Presence is last, so that nothing moves when users appear. */
  arranging: ReactNode;
  /** Buttons on the right, with the main one last. */
  children: ReactNode;
};

/** The toolbar of the screen: which rows are shown, and the actions on them. */
export function DealsToolbar({
  show,
  canChooseMonth,
  searchRef,
  onFindNext,
  onLeaveSearch,
  arranging,
  children,
}: DealsToolbarProps): ReactNode {
  const { view } = useDataEntry();
  return (
    <header className={`ui-row ui-gap-4 ${styles.toolbar}`}>
      <h1 className={styles.title}>{texts.title}</h1>
      {canChooseMonth ? (
        <MonthChooser month={view.month} onChange={(month) => show({ month, search: '' })} />
      ) : (
        <span className="ui-muted">{formatMonth(view.month)}</span>
      )}
      <SearchBox
        label={view.inMonth ? texts.searchMonth : texts.searchAll}
        value={view.search}
        onSearch={(search) => show({ search })}
        inputRef={searchRef}
        onFindNext={onFindNext}
        onLeave={onLeaveSearch}
      />
      <div className="ui-row">{arranging}</div>
      <div className={`ui-row ui-push ${styles.actions}`}>{children}</div>
    </header>
  );
}

function MonthChooser({ month, onChange }: { month: string; onChange: (month: string) => void }): ReactNode {
  return (
    <div className="ui-line ui-gap-0">
      <IconAction
        label={texts.previousMonth}
        icon={ChevronLeft}
        onClick={() => onChange(monthAfter(month, -1))}
      />
      <label className={`ui-center ${styles.pick}`}>
        <span className="ui-strong">{formatMonth(month)}</span>
        <input
          type="month"
          aria-label={texts.month}
          value={month}
          required
          onClick={(event) => event.currentTarget.showPicker()}
          onChange={(event) => event.currentTarget.value !== '' && onChange(event.currentTarget.value)}
        />
      </label>
      <IconAction
        label={texts.nextMonth}
        icon={ChevronRight}
        onClick={() => onChange(monthAfter(month, 1))}
      />
    </div>
  );
}

type SearchBoxProps = {
  label: string;
  /** The search of the URL. */
  value: string;
  onSearch: (search: string) => void;
  inputRef: Ref<HTMLInputElement>;
  onFindNext: (backwards: boolean) => void;
  onLeave: DealsToolbarProps['onLeaveSearch'];
};

function SearchBox({ label, value, onSearch, inputRef, onFindNext, onLeave }: SearchBoxProps): ReactNode {
  const [text, setText] = useState(value);
  const [requested, setRequested] = useState(value);
  const [lastValue, setLastValue] = useState(value);
  if (value !== lastValue) {
    setLastValue(value);
    // The URL was changed by another month or the browser's history, not by typing.
    if (value !== requested) setText(value);
    setRequested(value);
  }
  const search = useEffectEvent(onSearch);
  const searchText = text.trim();
  useEffect(() => {
    if (searchText === value) return undefined;
    const startSearch = (): void => {
      setRequested(searchText);
      search(searchText);
    };
    const timer = setTimeout(startSearch, searchText === '' ? 0 : SEARCH_MS);
    return () => clearTimeout(timer);
  }, [searchText, value]);
  return (
    <div className={styles.search}>
      <Search size={14} />
      <input
        ref={inputRef}
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(firstCharacters(event.currentTarget.value, MAX_SEARCH_LENGTH))}
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

/** The button and menu of the saved views, with the name of the active one and whether it has changes. */
export function DealViews({ used }: { used: UsedView }): ReactNode {
  const { button, part } = useOpener('menu');
  useLiveRefresh('deal-view', dealViewsKey);
  return (
    <>
      <Button variant="default" leftSection={<LayoutList />} {...button}>
        <span className="ui-hidden">{viewTexts.view}</span>
        <span className={`ui-ellipsis ${styles.view}`}>{used.view?.name ?? viewTexts.allDeals}</span>
        {used.changed && <span className={styles.changed}> {viewTexts.changed}</span>}
      </Button>
      <Suspense>{part && <DealViewsMenu part={part} used={used} />}</Suspense>
    </>
  );
}

/** On other screens no key opens the filter. */
type FilterButtonProps = DealFilterProps & { action?: ToolbarAction; opener: Opener };

/** The button and panel of the filter (docs/product/data-entry.md, Filters). */
export function DealFilterButton({ action, opener, ...props }: FilterButtonProps): ReactNode {
  const { button, part } = opener;
  const count = props.filter?.conditions.length ?? 0;
  return (
    <>
      <ActionButton
        variant={count > 0 ? 'light' : 'default'}
        leftSection={<Funnel {...(count > 0 && { fill: 'currentColor' })} />}
        {...(action && shortcutProps(action))}
        {...button}
      >
        {count > 0 ? viewTexts.filters(count) : viewTexts.filter}
      </ActionButton>
      <Suspense>{part && <DealFilterPanel part={part} {...props} />}</Suspense>
    </>
  );
}

type OpenerButtonProps<A> = { action: A; opener: Opener; isIcon: boolean };

/** The button and menu that group the rows (docs/product/data-entry.md, Groups). */
export function DealGroupButton({
  action,
  opener: { button, part },
  isIcon,
}: OpenerButtonProps<ToolbarAction>): ReactNode {
  const { group } = useDataEntry();
  return (
    <>
      <ActionButton
        variant={group === null ? 'default' : 'light'}
        isIcon={isIcon}
        leftSection={<Group />}
        ability={action.ability ?? true}
        {...shortcutProps(action, viewTexts.groupNote)}
        {...button}
      >
        {action.label}
      </ActionButton>
      <Suspense>{part && <DealGroupMenu part={part} />}</Suspense>
    </>
  );
}

type FilterBarProps = Pick<DealFilterProps, 'options'> & { onOpen: (part: FilterPart) => void };

/** The filter as text below the toolbar. Space is reserved while its script is loading. */
export function DealFilterBar({ options, onOpen }: FilterBarProps): ReactNode {
  const { view, arrangement } = useDataEntry();
  const { filter } = view;
  if (filter === null) return null;
  const props = { filter, onChange: arrangement.setFilter, onOpen };
  return (
    <div className={`ui-line ${styles.filters}`}>
      <Suspense>{options && <FilterChips options={options} {...props} />}</Suspense>
    </div>
  );
}

/** The button and panel that show, order and pin columns (docs/product/data-entry.md, Columns and saved views). */
export const ColumnChooser = ({
  action,
  opener: { button, part },
  isIcon,
}: OpenerButtonProps<{ label: string }>): ReactNode => (
  <>
    <ActionButton variant="default" isIcon={isIcon} leftSection={<Columns3 />} {...button}>
      {action.label}
    </ActionButton>
    <Suspense>{part && <ColumnPanel part={part} />}</Suspense>
  </>
);

/** Opens the import, for users who may add many rows at once. The dialog is loaded on demand. */
export function DealImportButton({ isIcon }: { isIcon: boolean }): ReactNode {
  const permissions = usePermissions();
  const [open, setOpen] = useState(false);
  const mayImport = permissions.feature('bulkEdit');
  const action = { id: 'import', label: texts.importRows, ability: true, run: () => setOpen(true) } as const;
  useScreenCommands(() => (mayImport ? [action] : []));
  if (!mayImport) return null;
  return (
    <>
      <ActionButton
        variant="default"
        isIcon={isIcon}
        leftSection={<FileUp />}
        note={texts.importRowsNote}
        onClick={action.run}
      >
        {action.label}
      </ActionButton>
      <Suspense>{open && <DealImport onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}

/** The only button in the accent colour. */
export const NewRowButton = ({ action }: { action: ToolbarAction }): ReactNode => (
  <ActionButton
    leftSection={<Plus />}
    ability={action.ability ?? true}
    {...shortcutProps(action)}
    onClick={() => action.run()}
  >
    {action.label}
  </ActionButton>
);
