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

/** What a filter needs besides the rows of the server. Renders nothing; loaded after the first rows. */
export default function DealFilterSync(props: DealFilterSyncProps): null {
  const { userId, view, options, deals } = useDataEntry();
  useFilterInAddress(props);
  useGroupInAddress();
  useFilterMatcher({ userId, filter: view.filter, options, deals });
  return null;
}

type AddressPart = {
  name: 'filter' | 'group';
  /** What is in use, as its text in the address. */
  used: string | undefined;
  /** Whether links can be applied; whether what is in use can be written. */
  isRead: boolean;
  isWritten: boolean;
  /** Applies the text of a link. */
  onLink: (text: string) => void;
};

/** Keeps a parameter of the address equal to what is in use, and applies that of a link. */
function useInAddress({ name, used, isRead, isWritten, onLink }: AddressPart): void {
  const { search, change } = useAddress();
  const linked = search[name];
  /** The text in the address that was handled, and the one that was written and may not have arrived yet. */
  const address = useRef<{ seen: string | undefined; written: string | undefined } | null>(null);

  const follow = useEffectEvent((text: string | undefined) => {
    const isFirst = address.current === null;
    const { seen, written } = address.current ?? {};
    if (text === seen) return;
    address.current = { seen: text, written: text };
    // Through a link, not through a change here.
    if (text !== undefined && text !== written && (isFirst || text !== used)) onLink(text);
  });
  const writeUsed = useEffectEvent((text: string | undefined) => {
    const { written } = address.current ?? { written: linked };
    // One that was written before arrives first.
    if (linked !== written) return;
    address.current = { seen: linked, written: text };
    change({ [name]: text });
  });
  useEffect(() => {
    if (!isRead) return undefined;
    follow(linked);
    if (!isWritten || used === linked) return undefined;
    // The address renders the screen again: the rows are painted before it.
    let isCurrent = true;
    void afterPaint().then(() => isCurrent && writeUsed(used));
    return () => {
      isCurrent = false;
    };
  }, [isRead, isWritten, used, linked]);
}

/**
 * The filter in the address. The parameters of a link from a figure (`rowsLink`) replace the filter and are removed from
 * the address, where they would stay in effect.
 */
function useFilterInAddress({ isReady, onReady }: DealFilterSyncProps): void {
  const { view, options, arrangement } = useDataEntry();
  const { filter } = view;
  const { search, change } = useAddress();
  const { status, dealershipId, owner } = search;
  const used = filterText(filter);

  const storeUsed = useEffectEvent(() => {
    // The next visit begins with it.
    arrangement.setFilter(filter);
    // More rows are shown than before.
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
      const found = parseFilter(text);
      // An empty text is a link to all rows.
      if (found !== null || text === '') arrangement.setLinked({ filter: found });
      else toastWarning(texts.malformed, 'malformed-filter');
    },
  });
  // The next render has the filter in use.
  const notifyReady = useEffectEvent(() => onReady(() => offeredFilter));
  useEffect(() => {
    if (!hasFilters && !isReady) notifyReady();
  }, [hasFilters, isReady]);

  const applyFilters = useEffectEvent((filters: LinkedFilters, known: DealOptions) => {
    onReady(() => offeredFilter);
    const found = filterOfLink(filters, known);
    arrangement.setLinked({ filter: found });
    change({ status: undefined, dealershipId: undefined, owner: undefined, filter: filterText(found) });
  });
  useEffect(() => {
    if (hasFilters && options) applyFilters({ status, dealershipId, owner }, options);
  }, [hasFilters, options, status, dealershipId, owner]);
}

/** The groups in the address; one by a column that does not exist for the user is left out. */
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
 * Returns a function that returns the test of the current business day. It is created once a day.
 * @param create creates the test of a business day
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

/** At most this number of rows with unsaved changes are loaded one by one. */
const MAX_ADDED = 100;

/** Whether all rows of a filter are among those of another one: it has the conditions of that one, and more. */
function addsConditions(before: ColumnFilter, after: ColumnFilter): boolean {
  const isAll = ({ match, conditions }: ColumnFilter) => match === 'all' || conditions.length === 1;
  const parts = new Set(after.conditions.map((part) => JSON.stringify(part)));
  return isAll(before) && isAll(after) && before.conditions.every((part) => parts.has(JSON.stringify(part)));
}

/**
 * Evaluates the filter in the browser: for rows that somebody else changed, which appear if they meet it, and for the
 * rows of a month that is loaded. Must be used below `useDeals`, whose effects run later and need the new matcher.
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
      // Where clocks skip midnight, the day begins at 1:00.
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
    };
    matcher.set({
      filter,
      test: createDailyTest({ today, startOf }, (day) =>
        createFilterMatcher(filter, Object.assign(facts, { today: day })),
      ),
      isPartOf: (before) => addsConditions(before, filter),
    });
  }, [userId, filter, options, timeZone, draftSync, table, matcher]);

  // The server has no unsaved changes: their rows are added to those that it returned.
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
