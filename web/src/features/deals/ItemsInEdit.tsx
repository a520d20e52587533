import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react';
import { useStore } from '../../platform/external-store.ts';
import { savedValue } from './deal-fields.ts';
import { linesOf, sumOf } from './deal-items.ts';
import type { DealOptions } from './deal-options.ts';
import { rowName, type DealRow, valueOf } from './deal-row.ts';
import { dealOptionsQuery } from './deals.queries.ts';
import { itemsInEdit } from './items-in-edit.ts';
import type { Deals } from './use-deals.ts';

const DealItems = lazy(async () => ({ default: (await import('./DealItems.tsx')).DealItems }));

/** The dialog of the items whose cell somebody has opened. What is saved goes the same way as what is typed there. */
export function ItemsInEdit({ deals }: { deals: Deals }): ReactNode {
  const key = useStore(itemsInEdit);
  const { data: options } = useQuery(dealOptionsQuery);
  useEffect(() => () => itemsInEdit.set(null), []);
  const row = key === null ? undefined : deals.rows.get(key);
  return row && options && <ItemsOfRow key={row.key} row={row} offered={options.items} deals={deals} />;
}

type ItemsOfRowProps = { row: DealRow; offered: DealOptions['items']; deals: Deals };

function ItemsOfRow({ row, offered, deals }: ItemsOfRowProps): ReactNode {
  // What a colleague saves while the dialog is open has not been seen by whoever works in it.
  const [before] = useState(() => valueOf(row, 'items'));
  return (
    <Suspense>
      <DealItems
        customer={rowName(row)}
        value={before}
        offered={offered}
        typedSale={typedSaleOf(row)}
        onSave={(after) => {
          if (after !== before)
            deals.onCommand({ changes: [{ key: row.key, columnId: 'items', before, after }] });
        }}
        onClose={() => itemsInEdit.set(null)}
      />
    </Suspense>
  );
}

/** The sale that somebody typed over the sum of the items; null where it is that sum, or not there. */
export function typedSaleOf(row: DealRow): number | null {
  const sale = valueOf(row, 'saleAmount');
  if (typeof sale !== 'number') return null;
  const lines = linesOf(savedValue(row.deal, 'items'));
  const follows = row.draft?.typed.saleAmount === undefined && lines.length > 0 && sale === sumOf(lines);
  return follows ? null : sale;
}
