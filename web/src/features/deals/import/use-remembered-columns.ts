import { useRef } from 'react';
import { withRemembered, type ColumnMatch } from '../../../ui/import/matched-columns.ts';
import type { useImport } from '../../../ui/import/use-import.ts';
import type { ImportedField } from './cells.ts';
import { rememberedColumns } from './deal-import.queries.ts';

type Form = ReturnType<typeof useImport<ImportedField>>;

/** Matches the columns of a file as in the last import of its dealership, except those that the user has matched. */
export function useRememberedColumns({ match, setMatch }: Pick<Form, 'match' | 'setMatch'>) {
  /** The fields that the user has matched in this file. */
  const byHand = useRef<ReadonlySet<string>>(new Set());
  const newestRequest = useRef(0);

  /** Matches the columns as in the last import of another dealership. */
  const recall = async (dealershipId: string, header: readonly string[]): Promise<void> => {
    const request = (newestRequest.current += 1);
    if (dealershipId === '') return;
    const columns = await rememberedColumns(dealershipId).catch(() => ({}));
    // Another dealership or file may have been chosen meanwhile.
    if (request !== newestRequest.current) return;
    setMatch((before) => before && withRemembered(before, columns, header, byHand.current));
  };

  return {
    recall,
    /** Matches the columns of another file. */
    recallForFile: (dealershipId: string, header: readonly string[]): Promise<void> => {
      byHand.current = new Set();
      return recall(dealershipId, header);
    },
    matchByHand: (next: ColumnMatch<ImportedField>): void => {
      const changed = (Object.keys(next) as ImportedField[]).filter(
        (field) => next[field] !== match?.[field],
      );
      byHand.current = new Set([...byHand.current, ...changed]);
      setMatch(next);
    },
  };
}
