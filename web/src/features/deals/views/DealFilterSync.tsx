import { useEffect, useEffectEvent, useRef } from 'react';
import { afterPaint } from '../../../platform/after-paint.ts';
import { texts } from '../../../texts/deal-filter.ts';
import { toastWarning } from '../../../ui/toasts.ts';
import { useDataEntry } from '../data-entry-context.ts';
import type { DealOptions } from '../deal-fields.ts';
import { useFilterMatcher } from '../store/use-filter-matcher.ts';
import { filterText } from './filter-text.ts';
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
