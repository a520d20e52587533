import { useState } from 'react';
import { useSession } from '../../platform/session.ts';
import { readStored, tableKey, writeStored } from '../../platform/storage-keys.ts';
import { parseView, type TableView } from './table-view.ts';

/** The user's layout of the table with this name, stored in this browser; without a name, in memory. */
export function useTableView(name: string | undefined): [TableView, (part: Partial<TableView>) => void] {
  const userId = useSession().user?._id;
  const key = name === undefined || userId === undefined ? null : tableKey(name, userId);
  const [view, setView] = useState(() => parseView(key === null ? null : readStored(key)));

  return [
    view,
    (part) => {
      const next = { ...view, ...part };
      setView(next);
      if (key !== null) writeStored(key, JSON.stringify(next));
    },
  ];
}
