import { useEffect, useState, type SubmitEvent } from 'react';
import { ApiError, messageOf } from '../../platform/api-error.ts';
import { createIntentionKeys } from '../intention-keys.ts';
import { cellKey, type CellTexts } from './cell-texts.ts';
import { matchedColumns, type ColumnMatch, type ImportField } from './matched-columns.ts';
import type { TextTable } from './text-table.ts';

/** `id` is different after every read. */
type Source = { readonly id: number; readonly table: TextTable; readonly fileName: string | null };

type Sending = {
  /** Why it cannot be imported in its current state. */
  blocked: string | undefined;
  /** Sends the valid lines. `keyFor` returns the same key for the same content. */
  send: (keyFor: (sent: unknown) => string) => Promise<void>;
  /** Returns the cells that the `errors` of a response refuse. */
  refusedCells: (errors: Readonly<Record<string, string>>) => CellTexts;
  /** Shown if the server sent no message. */
  failed: string;
};

/** The state of an import dialog: source, column mapping and edited cells. */
export function useImport<F extends string>(fields: readonly ImportField<F>[]) {
  const [source, setSource] = useState<Source | null>(null);
  const [match, setMatch] = useState<ColumnMatch<F> | null>(null);
  const [edits, setEdits] = useState<CellTexts>({});
  const [refused, setRefused] = useState<CellTexts>({});
  const [message, setMessage] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [keyFor] = useState(createIntentionKeys);
  const [failed, setFailed] = useState<{ form: HTMLFormElement } | null>(null);

  // Runs after the errors are rendered: focuses the first invalid cell, or scrolls to the message.
  useEffect(() => {
    const cell = failed?.form.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (cell) cell.focus();
    else failed?.form.scrollIntoView({ block: 'start' });
  }, [failed]);

  const take = (table: TextTable, fileName: string | null): void => {
    setSource({ id: (source?.id ?? 0) + 1, table, fileName });
    setMatch(matchedColumns(table.header, fields));
    setEdits({});
    setRefused({});
    setMessage(null);
  };

  const isEdited = (line: number, field: F): boolean => edits[cellKey(line, field)] !== undefined;
  const edit = (line: number, field: F, text: string): void => {
    setEdits({ ...edits, [cellKey(line, field)]: text });
    setRefused(({ [cellKey(line, field)]: _corrected, ...others }) => others);
  };

  /** Whether a column is displayed: it is in the file, is used by a line, for example for an error, or was edited. */
  const isShown = (field: F, used: ReadonlySet<string>): boolean =>
    match?.[field] !== null || used.has(field) || Object.keys(edits).some((key) => key.endsWith(`:${field}`));

  const submit = async (event: SubmitEvent<HTMLFormElement>, sending: Sending): Promise<void> => {
    event.preventDefault();
    if (busy || sending.blocked !== undefined) return;
    const form = event.currentTarget;
    setMessage(null);
    setBusy(true);
    try {
      await sending.send(keyFor);
    } catch (thrown) {
      if (thrown instanceof ApiError) setRefused(sending.refusedCells(thrown.errors));
      setMessage(messageOf(thrown, sending.failed));
      setFailed({ form });
    } finally {
      setBusy(false);
    }
  };

  return { source, match, setMatch, edits, refused, message, busy, take, isEdited, edit, isShown, submit };
}
