import { Suspense, useEffect, useState, type ReactNode } from 'react';
import { useStore } from '../../../platform/external-store.ts';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { itemsInEdit, useDataEntry } from '../data-entry-context.ts';
import { savedValue, type DealOptions, linesOf } from '../deal-fields.ts';
import { rowName, type DealRow, valueOf } from '../deal-row.ts';
import { sumOf } from './deal-items.ts';

const DealItems = lazyPart(async () => ({ default: (await import('./DealItems.tsx')).DealItems }));

/** The dialog of the items of a cell. Changes are saved like typed values. */
export function ItemsInEdit(): ReactNode {
  const { deals, options } = useDataEntry();
  const key = useStore(itemsInEdit);
  useEffect(() => () => itemsInEdit.set(null), []);
  const row = key === null ? undefined : deals.rows.get(key);
  return row && options && <ItemsOfRow key={row.key} row={row} offered={options.items} />;
}

type ItemsOfRowProps = { row: DealRow; offered: DealOptions['items'] };

function ItemsOfRow({ row, offered }: ItemsOfRowProps): ReactNode {
  const { deals } = useDataEntry();
  // The user has not seen changes that others save while the dialog is open.
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

/** Returns a sale amount typed over the sum of the items; null if it is the sum or empty. */
export function typedSaleOf(row: DealRow): number | null {
  const sale = valueOf(row, 'saleAmount');
  if (typeof sale !== 'number') return null;
  const lines = linesOf(savedValue(row.deal, 'items'));
  const follows = row.draft?.typed.saleAmount === undefined && lines.length > 0 && sale === sumOf(lines);
  return follows ? null : sale;
}
