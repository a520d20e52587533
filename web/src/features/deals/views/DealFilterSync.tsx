import { conditionsOf, type ColumnFilter } from '@forecourt/contract/deal-filter-fields';
import { createFilterMatcher, dayAfter, type FilterFacts } from '@forecourt/contract/deal-filter-match';
import { isGroupField } from '@forecourt/contract/deal-groups';
import type { Deal } from '@forecourt/contract/deals';
import { useEffect, useEffectEvent, useRef } from 'react';
import { afterPaint } from '../../../platform/after-paint.ts';
import { useTimeZone } from '../../../platform/deal-options.ts';
import { useStore } from '../../../platform/external-store.ts';
import { instantOf, zonedTime } from '../../../platform/time-zone.ts';
import { texts } from '../../../texts/deal-filter.ts';
import { toastWarning } from '../../../ui/toasts.ts';
import { useDataEntry } from '../data-entry-context.ts';
import type { SharedDeals } from '../data-entry-context.ts';
import type { DealOptions } from '../deal-fields.ts';
import { filterText } from '../deal-view.ts';
import { freshDeal } from '../deals.queries.ts';
import { offeredGroup } from './arrangement.ts';
import { filterOfLink, offeredFilter, parseFilter, type LinkedFilters } from './filter.ts';
import type { OfferFilter } from './use-arrangement.ts';
import { useAddress } from './use-deal-view.ts';

type DealFilterSyncProps = {
  /** Whether `onReady` was called. */
  isReady: boolean;
  /** Called with the function that validates filters. */
  onReady: (update: () => OfferFilter) => void;
};

/** Synchronises the filter with the URL and evaluates it. Renders nothing; loaded after the first rows. */
export default function DealFilterSync(props: DealFilterSyncProps): null {
  const { userId, view, options, deals } = useDataEntry();
  useFilterInAddress(props);
  useGroupInAddress();
  useFilterMatcher({ userId, filter: view.filter, options, deals });
  return null;
}

type AddressPart = {
  name: 'filter' | 'group';
  /** The current value as text in the URL. */
  used: string | undefined;
  /** Whether links can be applied, and whether the current value can be written. */
  isRead: boolean;
  isWritten: boolean;
  /** Applies the text of a link. */
  onLink: (text: string) => void;
};

/** Synchronises a URL parameter with the current value, and applies that of a link. */
function useInAddress({ name, used, isRead, isWritten, onLink }: AddressPart): void {
  const { search, change } = useAddress();
  const linked = search[name];
  /** The text that was handled, and the one that was written but may not have arrived yet. */
  const address = useRef<{ seen: string | undefined; written: string | undefined } | null>(null);

  const follow = useEffectEvent((text: string | undefined) => {
    const isFirst = address.current === null;
    const { seen, written } = address.current ?? {};
    if (text === seen) return;
    address.current = { seen: text, written: text };
    // The text comes from a link, not from a change here.
    if (text !== undefined && text !== written && (isFirst || text !== used)) onLink(text);
  });
  const writeUsed = useEffectEvent((text: string | undefined) => {
    const { written } = address.current ?? { written: linked };
    // An earlier written text arrives first.
    if (linked !== written) return;
    address.current = { seen: linked, written: text };
    change({ [name]: text });
  });
  useEffect(() => {
    if (!isRead) return undefined;
    follow(linked);
    if (!isWritten || used === linked) return undefined;
    // Written after the paint, because a change of the URL renders the screen again.
    let isCurrent = true;
    void afterPaint().then(() => isCurrent && writeUsed(used));
    return () => {
      isCurrent = false;
    };
  }, [isRead, isWritten, used, linked]);
}

/**
 * Synchronises the filter with the URL. Parameters of a link from a figure (`rowsLink`) replace the filter and are
 * removed from the URL, where they would stay in effect.
 */
function useFilterInAddress({ isReady, onReady }: DealFilterSyncProps): void {
  const { view, options, arrangement } = useDataEntry();
  const { filter } = view;
  const { search, change } = useAddress();
  const { status, dealershipId, owner } = search;
  const used = filterText(filter);

  const storeUsed = useEffectEvent(() => {
    // Stored for the next visit.
    arrangement.setFilter(filter);
    // Without the removed conditions more rows are displayed.
    if (arrangement.filter !== null) toastWarning(texts.leftOut, 'narrowed-filter');
  });
  const isStale = isReady && options !== undefined && filterText(arrangement.filter) !== used;
  useEffect(() => {
    if (isStale) storeUsed();
  }, [isStale]);

  const hasFilters = status !== undefined || dealershipId !== undefined || owner !== undefined;
  useInAddress({
    name: 'filter',
    used,
    isRead: !hasFilters,
    isWritten: isReady,
    onLink(text) {
      const linkedFilter = parseFilter(text);
      // An empty text is a link to all rows.
      if (linkedFilter !== null || text === '') arrangement.setLinked({ filter: linkedFilter });
      else toastWarning(texts.malformed, 'malformed-filter');
    },
  });
  // The filter is in use from the next render on.
  const notifyReady = useEffectEvent(() => onReady(() => offeredFilter));
  useEffect(() => {
    if (!hasFilters && !isReady) notifyReady();
  }, [hasFilters, isReady]);

  const applyFilters = useEffectEvent((filters: LinkedFilters, dealOptions: DealOptions) => {
    onReady(() => offeredFilter);
    const linkedFilter = filterOfLink(filters, dealOptions);
    arrangement.setLinked({ filter: linkedFilter });
    change({
      status: undefined,
      dealershipId: undefined,
      owner: undefined,
      filter: filterText(linkedFilter),
    });
  });
  useEffect(() => {
    if (hasFilters && options) applyFilters({ status, dealershipId, owner }, options);
  }, [hasFilters, options, status, dealershipId, owner]);
}

/** Synchronises the groups with the URL; groups by a hidden column are ignored. */
function useGroupInAddress(): void {
  const { options, arrangement, columns } = useDataEntry();
  const columnIds = columns.map(({ id }) => id);
  const isKnown = options !== undefined;
  useInAddress({
    name: 'group',
    used: offeredGroup(arrangement.group, columnIds) ?? undefined,
    isRead: isKnown,
    isWritten: isKnown,
    onLink(text) {
      const group = isGroupField(text, options?.customFields ?? []) ? text : null;
      arrangement.setLinked({ group: offeredGroup(group, columnIds) });
    },
  });
}

type FilterMatcherOptions = {
  userId: string;
  filter: ColumnFilter | null;
  options: DealOptions | undefined;
  deals: Pick<SharedDeals, 'draftSync' | 'table' | 'loading' | 'matcher'>;
};

/**
 * Returns a function that returns the predicate of the current business day, created once a day.
 * @param create creates the predicate of a business day
 */
function createDailyTest(
  dates: { today: () => string; startOf: (day: string) => string },
  create: (today: string) => (deal: Deal) => boolean,
): () => (deal: Deal) => boolean {
  let test: ((deal: Deal) => boolean) | undefined;
  let nextDay = 0;
  return () => {
    if (test === undefined || Date.now() >= nextDay) {
      const today = dates.today();
      nextDay = Date.parse(dates.startOf(dayAfter(today, 1)));
      test = create(today);
    }
    return test;
  };
}

/** Maximum rows with unsaved changes that are loaded individually. */
const MAX_ADDED = 100;

/** Whether a filter has all conditions of another one and more, so that its rows are a part. */
function addsConditions(before: ColumnFilter, after: ColumnFilter): boolean {
  const isAll = ({ match, conditions }: ColumnFilter) => match === 'all' || conditions.length === 1;
  const parts = new Set(after.conditions.map((part) => JSON.stringify(part)));
  return isAll(before) && isAll(after) && before.conditions.every((part) => parts.has(JSON.stringify(part)));
}

/**
 * Evaluates the filter in the browser, for rows that others changed and for a loaded month. Must be called after
 * `useDeals`, whose effects need the new matcher.
 */
export function useFilterMatcher({ userId, filter, options, deals }: FilterMatcherOptions): void {
  const { draftSync, table, loading, matcher } = deals;
  const timeZone = useTimeZone();
  const isLoaded = useStore(loading.state).state === 'ready';

  useEffect(() => {
    matcher.set(null);
    if (filter === null || options === undefined) return;
    const ids = new Map(options.statuses.map(({ name, _id }) => [name, _id]));
    const closed = new Set(options.statuses.flatMap(({ _id, isClosed }) => (isClosed ? [_id] : [])));
    const today = (): string => zonedTime(new Date(), timeZone).slice(0, 10);
    const startOf = (day: string): string =>
      // If clocks skip midnight, the day begins at 1:00.
      (
        instantOf(`${day}T00:00`, timeZone) ??
        instantOf(`${day}T01:00`, timeZone) ??
        new Date(day)
      ).toISOString();
    let time = { at: 0, text: '' };
    const facts: Omit<FilterFacts, 'today'> = {
      get now() {
        const at = Date.now();
        if (at !== time.at) time = { at, text: new Date(at).toISOString() };
        return time.text;
      },
      startOf,
      viewerId: userId,
      statusIdOf: (name = '') => ids.get(name),
      isClosedStatus: (id = '') => closed.has(id),
      customFields: options.customFields,
      isUnsaved: (id) => draftSync.draftOf(table.keyOf(id)) !== undefined,
      // The other row may not be loaded. The server decides, and a loaded row stays.
      isDuplicate: () => false,
    };
    const needsServer = conditionsOf(filter).some(({ field }) => field === 'isDuplicate');
    matcher.set({
      filter,
      test: createDailyTest({ today, startOf }, (day) =>
        createFilterMatcher(filter, Object.assign(facts, { today: day })),
      ),
      isPartOf: (before) => !needsServer && (before === null || addsConditions(before, filter)),
    });
  }, [userId, filter, options, timeZone, draftSync, table, matcher]);

  // The server does not know unsaved changes, so rows that have them are added to its response.
  useEffect(() => {
    if (filter === null || !isLoaded || !conditionsOf(filter).some(({ field }) => field === 'isUnsaved'))
      return undefined;
    let isCurrent = true;
    const addUnsaved = async (): Promise<void> => {
      if (matcher.get() === null) return;
      const ids = draftSync
        .drafts()
        .flatMap(({ dealId }) => dealId ?? [])
        .slice(0, MAX_ADDED);
      const found = await Promise.all(ids.map((id) => freshDeal(id).catch(() => null)));
      if (isCurrent) table.refresh(found.filter((deal) => deal !== null));
    };
    const stop = matcher.subscribe(() => void addUnsaved());
    void addUnsaved();
    return () => {
      isCurrent = false;
      stop();
    };
  }, [filter, isLoaded, draftSync, table, matcher]);
}
