import { useMediaQuery } from '@mantine/hooks';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Suspense, useEffect, useEffectEvent, useMemo, useRef, useState, type ReactNode } from 'react';
import type { CellAddress, CellMarks, GridHandle, SelectedCells } from '../../grid/grid.ts';
import { useDealOptions, useTimeZone } from '../../platform/deal-options.ts';
import { createStore, useStore } from '../../platform/external-store.ts';
import { lazyAfterFirstPaint, useFirstScreenReady } from '../../platform/first-screen.ts';
import { monthOfClock } from '../../platform/months.ts';
import './DataEntryScreen.css';
import { paths } from '../../platform/paths.ts';
import { usePermissions } from '../../platform/permissions.ts';
import { useSession } from '../../platform/session.ts';
import { texts as viewTexts } from '../../texts/deal-views.ts';
import { texts } from '../../texts/deals.ts';
import { lazyPart } from '../../ui/lazy-part.ts';
import { toastDone, toastWarning } from '../../ui/toasts.ts';
import { useOpener } from '../../ui/use-opener.ts';
import type { OpenDealMenu } from './actions/DealMenu.tsx';
import { RowActions } from './actions/RowActions.tsx';
import { useWithCustomColumns } from './custom/custom-columns.lazy.ts';
import { DataEntryContext, focusTable, type ShownGroups } from './data-entry-context.ts';
import { activeNames } from './deal-fields.ts';
import type { DealRow } from './deal-row.ts';
import { type DealSort, isOverMonths } from './deal-view.ts';
import { dealColumns, statusStyles } from './deals.columns.tsx';
import { usePeople } from './deals.queries.ts';
import { DealsEmpty } from './notices/DealsEmpty.tsx';
import { commentsOpen, findContact, openComments, openFiles } from './open-parts.ts';
import { DealGrid } from './rows/DealGrid.tsx';
import { DealsStatusBar } from './status-bar/DealsStatusBar.tsx';
import { nextDealSort, orderOf, serverOrder, windowSort } from './store/sort.ts';
import {
  DealsToolbar,
  NewRowButton,
  ColumnChooser,
  DealGroupButton,
  DealFilterBar,
  DealFilterButton,
  DealImportButton,
  DealViews,
} from './toolbar/DealsToolbar.tsx';
import type { OpenedAt } from './toolbar/filter-draft.ts';
import { useScreenKeys } from './toolbar/use-screen-keys.ts';
import { useToolbarCommands } from './toolbar/use-toolbar-commands.ts';
import type { UndoOutcome } from './undo-step.ts';
import { useDeals } from './use-deals.ts';
import { offeredGroup } from './views/arrangement.ts';
import {
  useArrangement,
  useRenamedStatuses,
  useSavedViews,
  useShownFilter,
} from './views/use-arrangement.ts';
import { useAddress, useDealView, useShownMonth } from './views/use-deal-view.ts';
import styles from './DataEntryScreen.module.css';

const DealFilterSync = lazyAfterFirstPaint(() => import('./views/DealFilterSync.tsx'));
const DealMenu = lazyAfterFirstPaint(() => import('./actions/DealMenu.tsx'));
const DealKeys = lazyPart(() => import('./toolbar/DealKeys.tsx'));
const DealInForm = lazyAfterFirstPaint(() => import('./form/DealInForm.tsx'));
const PresentPeople = lazyAfterFirstPaint(() => import('./presence/PresentPeople.tsx'));
const DealGroups = lazyPart(() => import('./groups/DealGroups.tsx'));
const RowMarks = lazyAfterFirstPaint(() => import('./marks/RowMarks.tsx'));
const DealPage = lazyAfterFirstPaint(() => import('./page/DealPage.tsx'));
const CommentsPanel = lazyAfterFirstPaint(() => import('./comments/CommentsPanel.tsx'));
const DealsNotices = lazyAfterFirstPaint(() => import('./notices/DealsNotices.tsx'));
const DealWindowBar = lazyPart(() => import('./status-bar/DealWindowBar.tsx'));
const none: ReadonlySet<string> = new Set();

/**
 * The table of deals (docs/product/data-entry.md). Each user has a separate screen. When a session ends it is unmounted
 * with the user's options, which saves the text of an open editor in their drafts.
 */
export default function DataEntryScreen(): ReactNode {
  const { user } = useSession();
  return user && <DataEntry key={user._id} userId={user._id} />;
}

function DataEntry({ userId }: { userId: string }): ReactNode {
  const rights = usePermissions();
  const canEditBlank = rights.can('dataEntry', 'canEditRows');

  const { data, isError } = useDealOptions();
  const options = useWithCustomColumns(data);
  const canAdd = rights.can('dataEntry', 'canAddRows') && canEditBlank && (options?.add ?? true) === true;
  const currentMonth = options?.currentMonth ?? monthOfClock();
  const canChooseMonth = rights.can('dataEntry', 'canAccessAllMonths');
  const searchesAll = canChooseMonth && rights.can('dataEntry', 'canSearchHistorical');
  const arrangement = useArrangement(userId);
  const { sort } = arrangement;
  const linked = useAddress().search['filter'];
  const isFirstScreenReady = useFirstScreenReady();
  const { filter, offer, setOffer, isUsable } = useShownFilter(arrangement.filter, linked, options);
  // Undefined until the filter of the URL is validated, which would replace an earlier change.
  const filterOptions = offer === null ? undefined : options;
  const isPending = filterOptions === undefined && !isError && !isUsable;
  const shownMonth = useShownMonth(options?.currentMonth, canChooseMonth);
  const { view, show } = useDealView(shownMonth, canChooseMonth, searchesAll, filter);

  const people = usePeople();
  const find = useStore(findContact);
  const timeZone = useTimeZone();
  const columns = useMemo(
    () => dealColumns(options, { canEditBlank, people, timeZone, findContact: find }),
    [options, canEditBlank, people, timeZone, find],
  );
  const statuses = useMemo(() => options?.statuses ?? [], [options]);
  const statusNames = useMemo(() => statuses.map(({ name }) => name), [statuses]);
  const columnIds = useMemo(() => columns.map(({ id }) => id), [columns]);

  const grid = useRef<GridHandle>(null);
  const search = useRef<HTMLInputElement>(null);
  const columnPanel = useOpener('dialog');
  const [selected, setSelected] = useState(none);
  const [menu, setMenu] = useState<OpenDealMenu | null>(null);
  const [helps, setHelps] = useState(false);
  const slides = useRef(false);
  const [active] = useState(() => createStore<CellAddress | null>(null));
  const [cells] = useState(() => createStore<SelectedCells | null>(null));

  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  const isIcons =
    useMediaQuery('(max-width: 106em)', undefined, { getInitialValueInEffect: false }) && !isPhone;
  // Cards have no headers to sort by, so they are newest first.
  const inOrder = isPhone ? null : windowSort(sort, view);
  const order = useMemo(() => serverOrder(inOrder, options), [inOrder, options]);
  const deals = useDeals({
    userId,
    view,
    order,
    currentMonth,
    canAdd,
    canChooseMonth,
    isPending,
    onRows(change) {
      if (sort && change !== 'narrowed') orderRows(sort);
      if (change !== 'added') setSelected(none);
      if (slides.current) goToFirst();
    },
  });
  const { rows, table, loading } = deals;
  const inWindow = useStore(loading.inWindow);
  const trailing = useStore(table.trailing);
  const [groups] = useState(() => createStore<ShownGroups | null>(null));
  const chosen = offeredGroup(arrangement.group, columnIds);
  const group = chosen === 'month' && !isOverMonths(view) ? null : chosen;
  const groupable = inWindow === null || viewTexts.ungrouped;
  const groupMenu = useOpener('menu');
  const [marks] = useState(() => createStore<CellMarks>(new Map()));
  useRenamedStatuses(statuses, (names) => {
    table.renameStatuses(names);
    const first = names.get(sort?.first ?? '');
    if (sort && first !== undefined) arrangement.setSort({ ...sort, first });
  });

  /** The server sorts a window. */
  const orderRows = (next: DealSort | null): void => {
    if (loading.inWindow.get() === null) rows.setOrder(orderOf(rows, next, columns, statusNames));
  };
  const views = useSavedViews({
    arrangement,
    columnIds,
    options,
    offer,
    onSort: orderRows,
  });
  const setSort = (next: DealSort | null): void => {
    arrangement.setSort(next);
    orderRows(next);
  };
  const sortBy = (columnId: string): void => setSort(nextDealSort(sort, columnId, activeNames(statuses)));
  const showCell = (key: string, field: string): void => grid.current?.focusCell(key, field);
  /** Focuses a row in the column of the active cell. */
  const showRow = (key: string): void => showCell(key, active.get()?.columnId ?? 'customerName');
  const newRow = (): void => {
    const key = table.blankKey();
    if (key !== null) showCell(key, 'customerName');
  };
  const slide = (backwards: boolean): void => {
    slides.current = backwards ? loading.previous() : loading.next();
  };
  const goToFirst = (): void => {
    slides.current = false;
    const [first] = rows.getOrder();
    if (first !== undefined) showRow(first);
  };
  const leaveSearch = (to: 'first' | 'back'): void => {
    const cell = active.get();
    if (to === 'first' || cell === null) goToFirst();
    else showCell(cell.key, cell.columnId);
  };
  /** Calls `open` with the id of a saved row. Unsaved rows have no page, comments and files. */
  const withSaved = (open: (dealId: string, row: DealRow) => void) => (key: string | undefined) => {
    const row = key === undefined ? undefined : rows.get(key);
    if (row?.deal) open(row.deal._id, row);
    else toastWarning(key === undefined ? texts.chooseRow : texts.saveFirst);
  };
  const navigate = useNavigate();
  const { dealId }: { dealId?: string } = useParams({ strict: false });
  const openDeal = (id: string): void =>
    void navigate({ to: paths.deal(id), search: true, state: { canGoBack: true } });
  const commented = useStore(commentsOpen);
  useEffect(() => () => commentsOpen.set(null), []);
  /** Focuses the cell of a row after its page or panel was closed. */
  const focusRow = (id: string): void => {
    const key = table.keyOf(id);
    if (isPhone) return;
    if (rows.get(key)) showRow(key);
    else focusTable();
  };
  const findNext = (backwards: boolean): void => void grid.current?.findNext(backwards);
  const filterPanel = useOpener('dialog');
  const [openedAt, setOpenedAt] = useState<OpenedAt>(null);
  const openFilter = (part: OpenedAt): void => {
    setOpenedAt(part);
    filterPanel.open();
  };
  const blankKey = trailing.at(-1);
  const focusBlankRow = useEffectEvent(() => {
    const { activeElement } = document;
    const isFree = activeElement === document.body || activeElement === document.querySelector('main');
    if (isFree && grid.current) newRow();
  });
  const canFocusBlankRow = isFirstScreenReady && blankKey !== undefined && dealId === undefined;
  useEffect(() => {
    if (canFocusBlankRow) focusBlankRow();
  }, [canFocusBlankRow]);
  /** Focuses the first visible affected cell, and reports what failed; over the page of a deal, everything. */
  const showOutcome = ({ message, isComplete, cells: affected }: UndoOutcome): void => {
    if (!isComplete) toastWarning(message);
    else if (dealId !== undefined) toastDone(message);
    if (dealId !== undefined) return;
    const first = (affected ?? [active.get()]).find((cell) => cell && rows.get(cell.key));
    if (first) showCell(first.key, first.columnId);
    else focusTable();
  };
  const undo = (): void => void deals.history.undo().then(showOutcome);
  const redo = (): void => void deals.history.redo().then(showOutcome);
  const openGroups = (): void => (groupable === true ? groupMenu.open() : toastWarning(groupable));
  useToolbarCommands({
    onNewRow: canAdd && !isPhone ? newRow : undefined,
    onFilter: () => openFilter(null),
    onGroup: openGroups,
    onColumns: isPhone ? undefined : columnPanel.open,
    onUndo: undo,
    onRedo: redo,
    isCovered: dealId !== undefined,
  });
  useScreenKeys({
    onFind: () => search.current?.select(),
    onFindNext: findNext,
    onNewRow() {
      if (groups.get()?.addAt(active.get()?.key ?? '') !== true) newRow();
    },
    onFilter: () => openFilter(null),
    onGroup: openGroups,
    onComments: () => withSaved(openComments)(active.get()?.key),
    onFiles: () => withSaved((_, row) => openFiles(row))(active.get()?.key),
    onUndo: undo,
    onRedo: redo,
    onSlide: inWindow === null ? undefined : slide,
    onHelp: () => setHelps(true),
    isCovered: dealId !== undefined,
  });

  return (
    <DataEntryContext
      value={{
        deals,
        view,
        options,
        columns,
        arrangement,
        isPhone,
        grid,
        active,
        cells,
        selected,
        setSelected,
        group,
        groupable,
        groups,
        canAdd,
        userId,
        openDeal,
      }}
    >
      <div className={styles.screen}>
        <div className={`ui-stack ui-gap-0 ${styles.content}`} inert={dealId !== undefined}>
          <style>{statusStyles(statuses)}</style>
          <DealsToolbar
            show={show}
            canChooseMonth={canChooseMonth}
            searchRef={search}
            onFindNext={findNext}
            onLeaveSearch={leaveSearch}
            arranging={
              <>
                <DealViews used={views} />
                <DealFilterButton
                  opener={filterPanel}
                  openedAt={openedAt}
                  filter={filter}
                  options={filterOptions}
                  onChange={arrangement.setFilter}
                />
                <DealGroupButton opener={groupMenu} isIcon={isIcons || isPhone} />
                {!isPhone && <ColumnChooser opener={columnPanel} isIcon={isIcons} />}
                <Suspense>{isFirstScreenReady && <PresentPeople marks={marks} />}</Suspense>
              </>
            }
          >
            <RowActions isIcons={isIcons} />
            <DealImportButton isIcon={isIcons || isPhone} />
            {canAdd && !isPhone && <NewRowButton onClick={newRow} />}
          </DealsToolbar>
          <DealFilterBar options={filterOptions} onOpen={openFilter} />
          <Suspense>
            {(isFirstScreenReady || isPending) && (
              <DealFilterSync isReady={offer !== null} onReady={setOffer} />
            )}
          </Suspense>
          <Suspense>
            {group !== null && groupable === true && options && (
              <DealGroups by={group} options={options} onNewRow={(key) => showCell(key, 'customerName')} />
            )}
          </Suspense>
          <div className={styles.main}>
            <div className={styles.table}>
              <DealGrid
                sort={inWindow ? inOrder : sort}
                marks={marks}
                onSort={sortBy}
                onOpen={withSaved(openDeal)}
                onMenu={setMenu}
                onUndo={undo}
                onRedo={redo}
              />
              <Suspense>{isFirstScreenReady && <DealInForm />}</Suspense>
              <DealsEmpty isFilterKnown={filterOptions !== undefined || isError} />
            </div>
            <Suspense>{isFirstScreenReady && <RowMarks />}</Suspense>
            <Suspense>
              {commented !== null && (
                <CommentsPanel
                  key={commented}
                  dealId={commented}
                  isDrawer={isPhone}
                  onClose={() => {
                    commentsOpen.set(null);
                    focusRow(commented);
                  }}
                />
              )}
            </Suspense>
          </div>
          {inWindow && (
            <Suspense>
              <DealWindowBar inWindow={inWindow} sort={inOrder} onSlide={slide} />
            </Suspense>
          )}
          <Suspense>{isFirstScreenReady && <DealsNotices onShow={showCell} />}</Suspense>
          <DealsStatusBar onHelp={() => setHelps(true)} />
          {isFirstScreenReady && (
            <Suspense>
              <DealMenu
                open={menu}
                onSort={setSort}
                onFilter={openFilter}
                onPanel={columnPanel.open}
                onClose={() => setMenu(null)}
              />
            </Suspense>
          )}
          {helps && (
            <Suspense>
              <DealKeys onClose={() => setHelps(false)} />
            </Suspense>
          )}
        </div>
        <Suspense>
          {dealId !== undefined && <DealPage dealId={dealId} onUndo={undo} onClosed={focusRow} />}
        </Suspense>
      </div>
    </DataEntryContext>
  );
}
