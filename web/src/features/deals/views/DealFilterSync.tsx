import { conditionsOf, type ColumnFilter } from '@forecourt/contract/deal-filter-fields';
import { createFilterMatcher, dayAfter, type FilterFacts } from '@forecourt/contract/deal-filter-match';
import type { Deal } from '@forecourt/contract/deals';
import { useEffect, useEffectEvent, useRef } from 'react';
import { afterPaint } from '../../../platform/after-paint.ts';
import { useStore } from '../../../platform/external-store.ts';
import { instantOf, zonedTime } from '../../../platform/time-zone.ts';
import { texts } from '../../../texts/deal-filter.ts';
import { toastWarning } from '../../../ui/toasts.ts';
import { useDataEntry } from '../data-entry-context.ts';
import type { DealOptions } from '../deal-fields.ts';
import { filterText, freshDeal, useTimeZone } from '../deals.queries.ts';
import type { Deals } from '../use-deals.ts';
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
  useFilterMatcher({ userId, filter: view.filter, options, deals });
  return null;
}

/**
 * Keeps the filter in the address equal to the one in use, and applies that of a link. The parameters of a link from a
 * figure (`rowsLink`) replace the filter and are removed from the address, where they would stay in effect.
 */
function useFilterInAddress({ isReady, onReady }: DealFilterSyncProps): void {
  const { view, options, arrangement } = useDataEntry();
  const { filter } = view;
  const { search, replace } = useAddress();
  const { status, dealershipId, owner, filter: linked, ...rest } = search;
  const used = filterText(filter);
  /** The text in the address that was handled, and the one that was written and may not have arrived yet. */
  const address = useRef<{ seen: string | undefined; written: string | undefined } | null>(null);

  const write = (text: string | undefined, parameters: typeof search): void => {
    address.current = { seen: linked, written: text };
    replace({ ...parameters, filter: text });
  };
  const follow = useEffectEvent((text: string | undefined) => {
    const isFirst = address.current === null;
    const { seen, written } = address.current ?? {};
    if (text === seen) return;
    address.current = { seen: text, written: text };
    // Through a link, not through a change here.
    const isLink = text !== undefined && text !== written && (isFirst || text !== used);
    const found = isLink ? parseFilter(text) : null;
    // An empty text is a link to all rows.
    if (found !== null || (isLink && text === '')) arrangement.setLinkedFilter(found);
    else if (isLink) toastWarning(texts.malformed, 'malformed-filter');
  });
  const writeUsed = useEffectEvent((text: string | undefined) => {
    const { written } = address.current ?? { written: linked };
    // One that was written before arrives first.
    if (linked === written) write(text, search);
  });
  const notifyReady = useEffectEvent(() => onReady(() => offeredFilter));
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
  useEffect(() => {
    if (hasFilters) return undefined;
    follow(linked);
    // The next render has the filter in use.
    if (!isReady) notifyReady();
    if (!isReady || used === linked) return undefined;
    // The address renders the screen again: the rows are painted before it.
    let isCurrent = true;
    void afterPaint().then(() => isCurrent && writeUsed(used));
    return () => {
      isCurrent = false;
    };
  }, [hasFilters, isReady, used, linked]);

  const applyFilters = useEffectEvent((filters: LinkedFilters, known: DealOptions) => {
    onReady(() => offeredFilter);
    const found = filterOfLink(filters, known);
    arrangement.setLinkedFilter(found);
    write(filterText(found), rest);
  });
  useEffect(() => {
    if (hasFilters && options) applyFilters({ status, dealershipId, owner }, options);
  }, [hasFilters, options, status, dealershipId, owner]);
}

type FilterMatcherOptions = {
  userId: string;
  filter: ColumnFilter | null;
  options: DealOptions | undefined;
  deals: Pick<Deals, 'draftSync' | 'table' | 'loading' | 'matcher'>;
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
