import type { ImportMode } from '@forecourt/contract/import-modes';
import { useState } from 'react';
import type { useImport } from '../../../ui/import/use-import.ts';
import type { ImportedField } from './cells.ts';
import type { Comparison, Decisions } from './update-plan.ts';

type Form = ReturnType<typeof useImport<ImportedField>>;

const none: Decisions = new Map();

/**
 * What the user decided about lines. The decision about a line is dropped when a cell by which it finds its row is
 * edited, and all are dropped when lines find their rows another way: a chosen row may not match any more.
 */
export function useDecisions(
  { source, match, edit }: Pick<Form, 'source' | 'match' | 'edit'>,
  mode: ImportMode,
  comparison: Comparison | undefined,
) {
  const compared = comparison?.compared ?? [];
  const way = JSON.stringify([source?.id, mode, compared.map((field) => [field, match?.[field]])]);
  const [made, setMade] = useState({ way, decisions: none });
  const decisions = made.way === way ? made.decisions : none;
  return {
    decisions,
    decide: (line: number, value: string): void =>
      setMade({ way, decisions: new Map(decisions).set(line, value) }),
    edit: (line: number, field: ImportedField, text: string): void => {
      edit(line, field, text);
      if (compared.includes(field))
        setMade({ way, decisions: new Map([...decisions].filter(([number]) => number !== line)) });
    },
  };
}
