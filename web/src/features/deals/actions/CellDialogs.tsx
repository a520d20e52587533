import { Suspense, useEffect, useState, type ReactNode } from 'react';
import { useStore } from '../../../platform/external-store.ts';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { useDataEntry } from '../data-entry-context.ts';
import type { DealOptions } from '../deal-fields.ts';
import { rowName, valueOf, type DealRow } from '../deal-row.ts';
import { itemsInEdit } from '../open-parts.ts';

const DealItems = lazyPart(() => import('../items/DealItems.tsx'));
const CustomInEdit = lazyPart(() => import('./CustomInEdit.tsx'));

/** Cell editors that are dialogs. Loaded after the first rows. */
export default function CellDialogs(): ReactNode {
  const { options } = useDataEntry();
  return (
    <>
      <ItemsInEdit />
      <Suspense>{options !== undefined && options.customFields.length > 0 && <CustomInEdit />}</Suspense>
    </>
  );
}

/** The dialog of the items of a cell. Changes are saved like typed values. */
function ItemsInEdit(): ReactNode {
  const { deals, options } = useDataEntry();
  const key = useStore(itemsInEdit);
  useEffect(() => () => itemsInEdit.set(null), []);
  const row = key === null ? undefined : deals.rows.get(key);
  return row && options && <ItemsOfRow key={row.key} row={row} offered={options.items} />;
}

function ItemsOfRow({ row, offered }: { row: DealRow; offered: DealOptions['items'] }): ReactNode {
  const { deals } = useDataEntry();
  // The value that the user has seen: changes by others during the dialog are not visible.
  const [before] = useState(() => valueOf(row, 'items'));
  return (
    <Suspense>
      <DealItems
        row={row}
        customer={rowName(row)}
        value={before}
        offered={offered}
        onSave={(after) => {
          if (after !== before)
            deals.onCommand({ changes: [{ key: row.key, columnId: 'items', before, after }] });
        }}
        onClose={() => itemsInEdit.set(null)}
      />
    </Suspense>
  );
}
