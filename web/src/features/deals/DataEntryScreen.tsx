import type { Ability } from '@forecourt/contract/route';
import { useMediaQuery } from '@mantine/hooks';
import { Suspense, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import type { CellAddress, CellMarks, GridHandle, SelectedCells } from '../../grid/grid.ts';
import { useDealOptions, useTimeZone } from '../../platform/deal-options.ts';
import { createStore, useStore } from '../../platform/external-store.ts';
import { lazyAfterFirstPaint, useFirstScreenReady } from '../../platform/first-screen.ts';
import { formatMonth } from '../../platform/formats.ts';
import { monthOfClock } from '../../platform/months.ts';
import './DataEntryScreen.css';
import { mayCloseMonths } from '../../platform/permission-set.ts';
import { usePermissions } from '../../platform/permissions.ts';
import { useSession } from '../../platform/session.ts';
import { texts as viewTexts } from '../../texts/deal-views.ts';
import { texts } from '../../texts/deals.ts';
import { lazyPart } from '../../ui/lazy-part.ts';
import { useOpener } from '../../ui/use-opener.ts';
import type { OpenDealMenu } from './actions/DealMenu.tsx';
import { RowActions } from './actions/RowActions.tsx';
import { useWithCustomColumns } from './custom/custom-columns.lazy.ts';
import { DataEntryContext, useDataEntry, type ShownGroups } from './data-entry-context.ts';
import { activeNames, type DealOptions } from './deal-fields.ts';
import { type DealSort, type DealView, isOverMonths } from './deal-view.ts';
import { dealColumns, statusStyles } from './deals.columns.tsx';
import { usePeople } from './deals.queries.ts';
import { DealsEmpty } from './notices/DealsEmpty.tsx';
import { commentsOpen, findContact, findDuplicate } from './open-parts.ts';
import { DealGrid } from './rows/DealGrid.tsx';
import { DealsStatusBar, noBlankRow } from './status-bar/DealsStatusBar.tsx';
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
import { useScreenActions } from './toolbar/use-screen-actions.ts';
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
const ClosedMonthLine = lazyAfterFirstPaint(() => import('./notices/ClosedMonthLine.tsx'));
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

/** The columns that exist for the user. */
function useColumns(options: DealOptions | undefined, canEditBlank: boolean) {
  const people = usePeople();
  const find = useStore(findContact);
  const findOther = useStore(findDuplicate);
  const timeZone = useTimeZone();
  return useMemo(
    () =>
      dealColumns(options, { canEditBlank, people, timeZone, findContact: find, findDuplicate: findOther }),
    [options, canEditBlank, people, timeZone, find, findOther],
  );
}

function useRights(options: DealOptions | undefined) {
  const rights = usePermissions();
  const canEditBlank = rights.can('dataEntry', 'canEditRows');
  const canChooseMonth = rights.can('dataEntry', 'canAccessAllMonths');
  return {
    canEditBlank,
    offersAdd: rights.can('dataEntry', 'canAddRows') && canEditBlank && (options?.add ?? true) === true,
    mayAdjust: mayCloseMonths(rights),
    canChooseMonth,
    searchesAll: canChooseMonth && rights.can('dataEntry', 'canSearchHistorical'),
  };
}

/** Returns whether the month in view is closed, and `true` or why no row can be added. */
function useClosedMonth(
  { offersAdd, mayAdjust }: ReturnType<typeof useRights>,
  options: DealOptions | undefined,
  view: DealView,
): { isClosed: boolean; adding: Ability } {
  const { closedMonths = [], currentMonth = '' } = options ?? {};
  const month = isOverMonths(view) ? currentMonth : view.month;
  const isClosed = closedMonths.includes(month);
  const closed = isClosed && !mayAdjust ? texts.monthClosed(formatMonth(month)) : true;
  return { isClosed: isClosed && !isOverMonths(view), adding: offersAdd ? closed : noBlankRow(options) };
}

function DataEntry({ userId }: { userId: string }): ReactNode {
  const { data, isError } = useDealOptions();
  const options = useWithCustomColumns(data);
  const rights = useRights(options);
  const { canEditBlank, offersAdd, canChooseMonth, searchesAll } = rights;
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
  const { isClosed, adding } = useClosedMonth(rights, options, view);

  const columns = useColumns(options, canEditBlank);
  const statuses = useMemo(() => options?.statuses ?? [], [options]);
  const statusNames = useMemo(() => statuses.map(({ name }) => name), [statuses]);
  const columnIds = useMemo(() => columns.map(({ id }) => id), [columns]);

  const grid = useRef<GridHandle>(null);
  const search = useRef<HTMLInputElement>(null);
  const columnPanel = useOpener('dialog');
  const [selected, setSelected] = useState(none);
  const [menu, setMenu] = useState<OpenDealMenu | null>(null);
  const [helps, setHelps] = useState(false);
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
    currentMonth: options?.currentMonth ?? monthOfClock(),
    canAdd: adding === true,
    canChooseMonth,
    isPending,
    onRows(change) {
      if (sort && change !== 'narrowed') orderRows(sort);
      if (change !== 'added') setSelected(none);
      screen.onRows();
    },
  });
  const { rows, table, loading } = deals;
  const inWindow = useStore(loading.inWindow);
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
  const views = useSavedViews({ arrangement, columnIds, options, offer, onSort: orderRows });
  const setSort = (next: DealSort | null): void => {
    arrangement.setSort(next);
    orderRows(next);
  };
  const sortBy = (columnId: string): void => setSort(nextDealSort(sort, columnId, activeNames(statuses)));
  const screen = useScreenActions({
    deals,
    grid,
    search,
    active,
    groups,
    groupable,
    groupMenu,
    columnPanel,
    adding,
    offersAdd,
    isPhone,
    onHelp: () => setHelps(true),
  });
  const { actions, showCell, dealId, openDeal, focusRow, openFilter } = screen;

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
        adding,
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
            onFindNext={screen.findNext}
            onLeaveSearch={screen.leaveSearch}
            arranging={
              <>
                <DealViews used={views} />
                <DealFilterButton
                  action={actions.filter}
                  opener={screen.filterPanel}
                  openedAt={screen.openedAt}
                  filter={filter}
                  options={filterOptions}
                  onChange={arrangement.setFilter}
                />
                <DealGroupButton action={actions.group} opener={groupMenu} isIcon={isIcons || isPhone} />
                {!isPhone && <ColumnChooser action={actions.columns} opener={columnPanel} isIcon={isIcons} />}
                <Suspense>{isFirstScreenReady && <PresentPeople marks={marks} />}</Suspense>
              </>
            }
          >
            <RowActions isIcons={isIcons} />
            <DealImportButton isIcon={isIcons || isPhone} />
            {actions.newRow.isOffered && <NewRowButton action={actions.newRow} />}
          </DealsToolbar>
          <DealFilterBar options={filterOptions} onOpen={openFilter} />
          <ClosedMonth isClosed={isClosed} />
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
                onOpen={(key) => screen.openOf('open', key)}
                onMenu={setMenu}
                onUndo={actions.undo.run}
                onRedo={actions.redo.run}
              />
              <Suspense>{isFirstScreenReady && <DealInForm />}</Suspense>
              <DealsEmpty isFilterKnown={filterOptions !== undefined || isError} />
            </div>
            <Suspense>{isFirstScreenReady && <RowMarks />}</Suspense>
            <OpenComments onClosed={focusRow} />
          </div>
          {inWindow && (
            <Suspense>
              <DealWindowBar inWindow={inWindow} sort={inOrder} onSlide={screen.slide} />
            </Suspense>
          )}
          <Suspense>{isFirstScreenReady && <DealsNotices onShow={showCell} />}</Suspense>
          <DealsStatusBar onHelp={actions.help.run} onShow={showCell} />
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
          <Suspense>{helps && <DealKeys onClose={() => setHelps(false)} />}</Suspense>
        </div>
        <Suspense>
          {dealId !== undefined && <DealPage dealId={dealId} undo={actions.undo} onClosed={focusRow} />}
        </Suspense>
      </div>
    </DataEntryContext>
  );
}

/** The line of a closed month, which is announced when the month is closed. */
function ClosedMonth({ isClosed }: { isClosed: boolean }): ReactNode {
  const { month } = useDataEntry().view;
  return (
    <div role="status" className={isClosed ? styles.closed : undefined}>
      <Suspense>{isClosed && <ClosedMonthLine month={month} />}</Suspense>
    </div>
  );
}

/** The comments of a deal while they are open. */
function OpenComments({ onClosed }: { onClosed: (dealId: string) => void }): ReactNode {
  const { isPhone } = useDataEntry();
  const dealId = useStore(commentsOpen);
  useEffect(() => () => commentsOpen.set(null), []);
  const close = (id: string): void => {
    commentsOpen.set(null);
    onClosed(id);
  };
  return (
    <Suspense>
      {dealId !== null && (
        <CommentsPanel key={dealId} dealId={dealId} isDrawer={isPhone} onClose={() => close(dealId)} />
      )}
    </Suspense>
  );
}
