import type { RevertBody, RevertRow } from '@forecourt/contract/deal-changes';
import { Button, Checkbox, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState, type ReactNode } from 'react';
import { messageOf } from '../../../platform/api-error.ts';
import { useTimeZone } from '../../../platform/deal-options.ts';
import { formatDateTime } from '../../../platform/formats.ts';
import { newKey } from '../../../platform/ids.ts';
import { paths } from '../../../platform/paths.ts';
import { texts } from '../../../texts/deal-revert.ts';
import { ValueChanges } from '../../../ui/ChangeEntry.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { FormMessage } from '../../../ui/FormMessage.tsx';
import { Loaded } from '../../../ui/Loaded.tsx';
import { Pager } from '../../../ui/Pager.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { toggled } from '../../../ui/table/selection.ts';
import { toastUndo } from '../../../ui/toast-undo.tsx';
import { toastDone } from '../../../ui/toasts.ts';
import { ClosedMonths } from '../ClosedMonths.tsx';
import { describeChange } from '../history/change-texts.ts';
import { revertPreviewQuery, useRevert } from './changes.queries.ts';
import { emptyChoice, isIncluded, revertBodyOf, sortRows, type RevertChoice } from './revert-choice.ts';
import { RowName } from './RowName.tsx';
import styles from './ChangeSetDrawer.module.css';

const LIMIT = 100;

type RevertDialogProps = {
  /** The change set. */
  id: string;
  /** The rows to which the revert is limited. */
  rows?: string[];
  onClose: () => void;
};

/** The preview of a revert, in which rows and later changes are chosen (docs/product/data-entry.md, Taking changes back). */
export default function RevertDialog({ id, rows: only, onClose }: RevertDialogProps): ReactNode {
  const navigate = useNavigate();
  const query = useQuery(revertPreviewQuery(id, only));
  const { data } = query;
  const [choice, setChoice] = useState<RevertChoice>(emptyChoice);
  const [page, setPage] = useState(1);
  const [message, setMessage] = useState<string | null>(null);
  const { mutateAsync: revert, isPending } = useRevert();
  // Another choice is another request.
  const idempotencyKey = useMemo(() => [choice, newKey()] as const, [choice])[1];
  const rows = useMemo(() => sortRows(data?.rows ?? []), [data]);
  const included = rows.filter((row) => isIncluded(row, choice));
  const able = rows.filter(({ effect }) => effect !== null);
  const ticked = able.filter(({ _id }) => !choice.unticked.has(_id));

  const run = async (): Promise<void> => {
    setMessage(null);
    const body: RevertBody = revertBodyOf(rows, choice);
    try {
      const { changeSetId, ...done } = await revert({ params: { id }, body, idempotencyKey });
      onClose();
      if (changeSetId === null) return toastDone(texts.nothingDone);
      const show = () => navigate({ to: paths.changes, search: { set: changeSetId } });
      toastUndo(texts.done(done.reverted, done.left.length, done.refused.length), texts.show, show);
    } catch (thrown) {
      setMessage(messageOf(thrown, texts.failed));
    }
  };

  return (
    <Dialog title={texts.title} size="xl" onClose={() => isPending || onClose()}>
      <div className="ui-stack">
        <FormMessage text={message} />
        <Loaded of={query} message={texts.previewFailed} loading={<Loader size={20} />}>
          {data && rows.length === 0 && <EmptyState title={texts.nothing}>{texts.nothingNote}</EmptyState>}
          {rows.length > 0 && (
            <div>
              <p>{texts.note}</p>
              <ClosedMonths months={included.flatMap(monthsOf)} />
              {able.length > 1 && (
                <Checkbox
                  className="ui-mt-3"
                  label={texts.all(able.length)}
                  checked={ticked.length === able.length}
                  indeterminate={ticked.length > 0 && ticked.length < able.length}
                  onChange={() =>
                    setChoice({
                      ...choice,
                      unticked: new Set(ticked.length === able.length ? able.map(({ _id }) => _id) : []),
                    })
                  }
                />
              )}
              <table className={`ui-table ui-mt-3 ${styles.rows}`} aria-label={texts.rows}>
                <thead>
                  <tr>
                    <th scope="col">{texts.row}</th>
                    <th scope="col">{texts.what}</th>
                  </tr>
                </thead>
                <tbody>
                  {rows.slice((page - 1) * LIMIT, page * LIMIT).map((row) => (
                    <RowPreview key={row._id} row={row} choice={choice} onChange={setChoice} />
                  ))}
                </tbody>
              </table>
              <Pager page={page} limit={LIMIT} total={rows.length} isStale={false} onPage={setPage} />
            </div>
          )}
        </Loaded>
      </div>
      <div className="ui-line ui-end ui-mt-5">
        <Button variant="default" disabled={isPending} onClick={onClose}>
          {rows.length === 0 ? texts.close : texts.cancel}
        </Button>
        {rows.length > 0 && (
          <Button disabled={included.length === 0} loading={isPending} onClick={() => void run()}>
            {texts.submit(included.length)}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

/** The month of a row, and the one to which it goes back. */
const monthsOf = ({ month, changes }: RevertRow): string[] => [
  month,
  ...changes.flatMap(({ field, after }) => (field === 'month' && typeof after === 'string' ? [after] : [])),
];

type RowPreviewProps = {
  row: RevertRow;
  choice: RevertChoice;
  onChange: (choice: RevertChoice) => void;
};

function RowPreview({ row, choice, onChange }: RowPreviewProps): ReactNode {
  const timeZone = useTimeZone();
  const { _id, customerName = texts.unnamed, effect, fullEffect, left, reason } = row;
  const overwritten = choice.overwrite.get(_id) ?? new Set<string>();
  const overwrite = (fields: ReadonlySet<string>): void =>
    onChange({ ...choice, overwrite: new Map(choice.overwrite).set(_id, fields) });
  const isTicked = effect !== null && !choice.unticked.has(_id);
  const since = left.map(({ by, at, ...change }) => ({
    field: change.field,
    change: describeChange(change, false, timeZone),
    by: texts.changedBy(by, at === null ? null : formatDateTime(at, timeZone)),
  }));
  return (
    <tr>
      <th scope="row">
        <span className="ui-line ui-top">
          {effect !== null && (
            <Checkbox
              aria-label={texts.include(customerName)}
              checked={isTicked}
              onChange={() => onChange({ ...choice, unticked: toggled(choice.unticked, [], _id) })}
            />
          )}
          <span>
            <RowName of={row} />
          </span>
        </span>
      </th>
      <td>
        <div className="ui-stack ui-gap-2">
          {reason !== null && (
            <p>
              <StatusBadge tone="warn">{texts.refused}</StatusBadge> {reason}
            </p>
          )}
          {effect !== null && effect !== 'changed' && <p>{texts.effects[effect]}</p>}
          {row.changes.length > 0 && (
            <ValueChanges changes={row.changes.map((change) => describeChange(change, false, timeZone))} />
          )}
          {since.length > 0 && fullEffect === 'deleted' && (
            <>
              <p>
                <StatusBadge>{texts.stays}</StatusBadge> {texts.addedRowStays}
              </p>
              {since.map(({ field, change, by }) => (
                <p key={field}>
                  {change.name}: {change.before} <span className="ui-muted">({by})</span>
                </p>
              ))}
              <Checkbox
                label={texts.deleteAnyway}
                checked={overwritten.size > 0}
                onChange={() =>
                  overwrite(new Set(overwritten.size > 0 ? [] : left.map(({ field }) => field)))
                }
              />
            </>
          )}
          {fullEffect !== 'deleted' &&
            since.map(({ field, change, by }) => (
              <div key={field}>
                <p>
                  <StatusBadge>{texts.stays}</StatusBadge> {change.name}: {change.before}{' '}
                  <span className="ui-muted">({by})</span>
                </p>
                <Checkbox
                  className="ui-mt-1"
                  label={texts.overwrite(change.name, change.after)}
                  checked={overwritten.has(field)}
                  onChange={() => overwrite(toggled(overwritten, [], field))}
                />
              </div>
            ))}
          {row.emailedAt !== null && (
            <p className="ui-muted">{texts.emailed(formatDateTime(row.emailedAt, timeZone))}</p>
          )}
        </div>
      </td>
    </tr>
  );
}
