import { useCallback, useState } from 'react';
import type { CellAddress } from './columns.ts';

/** Text that could not become a value. It stays in its cell, marked, until it is put right or given up. */
interface Refusal {
  readonly text: string;
  readonly message: string;
}

/** Refusals of one row by column. */
export type RowRefusals = ReadonlyMap<string, Refusal>;

export interface Refusals {
  readonly ofRow: (key: string) => RowRefusals | undefined;
  readonly of: (cell: CellAddress) => Refusal | undefined;
  readonly refuse: (cell: CellAddress, refusal: Refusal) => void;
  readonly forgive: (cell: CellAddress) => void;
}

export function useRefusals(): Refusals {
  const [rows, setRows] = useState<ReadonlyMap<string, RowRefusals>>(new Map());

  const refuse = useCallback(({ key, columnId }: CellAddress, refusal: Refusal) => {
    setRows((old) => new Map(old).set(key, new Map(old.get(key)).set(columnId, refusal)));
  }, []);

  const forgive = useCallback(({ key, columnId }: CellAddress) => {
    setRows((old) => {
      if (!old.get(key)?.has(columnId)) return old;
      const row = new Map(old.get(key));
      row.delete(columnId);
      return new Map(old).set(key, row);
    });
  }, []);

  return {
    ofRow: (key) => rows.get(key),
    of: ({ key, columnId }) => rows.get(key)?.get(columnId),
    refuse,
    forgive,
  };
}
