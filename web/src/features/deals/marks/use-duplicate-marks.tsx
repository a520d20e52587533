import type { ExistingDeal } from '@forecourt/contract/deal-import';
import Copy from 'lucide-react/icons/copy';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { CellValue } from '../../../grid/grid.ts';
import { call } from '../../../platform/api.ts';
import { formatMonth } from '../../../platform/formats.ts';
import { onLiveEvent } from '../../../platform/live-events.ts';
import { paths } from '../../../platform/paths.ts';
import { texts } from '../../../texts/deal-duplicates.ts';
import { texts as common } from '../../../texts/deals.ts';
import { useDataEntry } from '../data-entry-context.ts';
import { valueOf } from '../deal-row.ts';
import { findDuplicate, typedNumbers } from '../open-parts.ts';

/**
 * Marks numbers that other rows have too. Only a number that was typed on this page is compared, after it was saved, by
 * one read in the background.
 */
export function useDuplicateMarks(): void {
  const { openDeal } = useDataEntry();
  const open = useEffectEvent((id: string) => openDeal(id));
  /** The rows with the numbers of a row, by the id of the row. */
  const found = useRef(new Map<string, readonly ExistingDeal[]>());

  useEffect(() => {
    const others = found.current;
    const publish = (): void =>
      findDuplicate.set((row, field) => {
        const other = others.get(row.deal?._id ?? '')?.find((one) => isSame(one[field], valueOf(row, field)));
        return (
          other && {
            href: paths.deal(other._id),
            label: texts[field](describe(other)),
            icon: <Copy size={13} />,
            open: () => open(other._id),
          }
        );
      });
    /** Without a response there is no mark: it is only a hint. */
    async function check(id: string): Promise<void> {
      const request = call('GET /deals/:id/duplicates', { params: { id }, background: true });
      const items = (await request.catch(() => undefined))?.items ?? [];
      if (items.length === 0 && !others.has(id)) return;
      if (items.length === 0) others.delete(id);
      else others.set(id, items);
      publish();
    }
    const compare = (): void => {
      const ids = typedNumbers.get();
      if (ids.length === 0) return;
      typedNumbers.set([]);
      for (const id of ids) void check(id);
    };
    const stopTyped = typedNumbers.subscribe(compare);
    compare();
    // The other row was changed or deleted.
    const stopEvents = onLiveEvent('deal', ({ recordId }) => {
      for (const [id, items] of others) if (items.some(({ _id }) => _id === recordId)) void check(id);
    });
    return () => {
      stopTyped();
      stopEvents();
      findDuplicate.set(() => undefined);
    };
  }, []);
}

const isSame = (one: string | undefined, value: CellValue): boolean =>
  one !== undefined && one !== '' && one.toLowerCase() === String(value ?? '').toLowerCase();

const describe = ({ customerName = common.unnamed, month }: ExistingDeal): string =>
  `${customerName}, ${formatMonth(month)}`;
