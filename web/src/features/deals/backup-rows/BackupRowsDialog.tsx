import type { BackupRow } from '@forecourt/contract/backup-rows';
import { Button, Checkbox, Loader, Select, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { messageOf } from '../../../platform/api-error.ts';
import { useDealOptions, useTimeZone } from '../../../platform/deal-options.ts';
import { formatMonth } from '../../../platform/formats.ts';
import { paths } from '../../../platform/paths.ts';
import { texts } from '../../../texts/backup-rows.ts';
import { ValueChanges } from '../../../ui/ChangeEntry.tsx';
import { namedChoices } from '../../../ui/choices.ts';
import { DayField } from '../../../ui/DayField.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { FormMessage } from '../../../ui/FormMessage.tsx';
import { FormRow } from '../../../ui/FormModal.tsx';
import { Pager } from '../../../ui/Pager.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { toggled } from '../../../ui/table/selection.ts';
import { toastUndo } from '../../../ui/toast-undo.tsx';
import { toastDone } from '../../../ui/toasts.ts';
import { describeChange } from '../history/change-texts.ts';
import { useBackupRows, useCopyRows } from './backup-rows.queries.ts';
import styles from '../changes/ChangeSetDrawer.module.css';

const LIMIT = 100;

type BackupRowsDialogProps = { name: string; onClose: () => void };

/** Searches rows of a backup and copies chosen ones back (docs/product/backups.md, Copying rows). */
export default function BackupRowsDialog({ name, onClose }: BackupRowsDialogProps): ReactNode {
  const navigate = useNavigate();
  const { data: options } = useDealOptions();
  const [month, setMonth] = useState('');
  const [dealershipId, setDealershipId] = useState<string | null>(null);
  const [search, setSearch] = useState('');
  const [showsSame, setShowsSame] = useState(false);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [page, setPage] = useState(1);
  const [message, setMessage] = useState<string | null>(null);
  const { mutateAsync: find, data, isPending: isSearching } = useBackupRows(name);
  const { mutateAsync: copy, isPending: isCopying } = useCopyRows(name);
  const items = data?.items ?? [];
  const rows = items.filter(({ state }) => showsSame || state !== 'same');
  const able = rows.filter(({ state, reason }) => state !== 'same' && reason === null);
  const hasSame = items.some(({ state }) => state === 'same');

  const run = async (): Promise<void> => {
    setMessage(null);
    setSelected(new Set());
    setPage(1);
    try {
      await find({
        ...(month !== '' && { month }),
        ...(dealershipId !== null && { dealershipId }),
        ...(search.trim() !== '' && { search: search.trim() }),
      });
    } catch (thrown) {
      setMessage(messageOf(thrown, texts.searchFailed));
    }
  };
  const submit = async (): Promise<void> => {
    setMessage(null);
    try {
      const { changeSetId, copied, refused } = await copy(able.filter(({ _id }) => selected.has(_id)));
      if (copied === 0 && refused.length > 0) {
        return setMessage([...new Set(refused.map(({ reason }) => reason))].join(' '));
      }
      onClose();
      if (changeSetId === null) return toastDone(texts.nothingDone);
      const show = () => navigate({ to: paths.changes, search: { set: changeSetId } });
      toastUndo(texts.done(copied, refused.length), texts.show, show);
    } catch (thrown) {
      setMessage(messageOf(thrown, texts.failed));
    }
  };

  return (
    <Dialog title={texts.title} size="xl" onClose={() => isCopying || onClose()}>
      <form
        className="ui-stack"
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <p className="ui-anywhere">{texts.note(name)}</p>
        <FormRow>
          <DayField precision="month" label={texts.month} value={month} onChange={setMonth} />
          <Select
            label={texts.dealership}
            placeholder={texts.everyDealership}
            data={namedChoices(options?.dealerships)}
            clearable
            searchable
            value={dealershipId}
            onChange={setDealershipId}
          />
        </FormRow>
        <TextInput
          label={texts.search}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <div>
          <Button type="submit" variant="default" loading={isSearching} disabled={isCopying}>
            {texts.find}
          </Button>
        </div>
      </form>
      <div className="ui-stack ui-mt-4">
        <FormMessage text={message} />
        {isSearching && (
          <p className="ui-line" role="status">
            <Loader size={16} /> {texts.reading}
          </p>
        )}
        {data && !isSearching && (
          <>
            {items.length === 0 && <EmptyState title={texts.none}>{texts.noneNote}</EmptyState>}
            {items.length > 0 && (
              <p role="status">
                {items.every(({ state }) => state === 'same')
                  ? texts.allSame(items.length, data.total)
                  : texts.found(items.length, data.total)}
              </p>
            )}
            {hasSame && (
              <Checkbox
                label={texts.showSame}
                checked={showsSame}
                onChange={() => setShowsSame(!showsSame)}
              />
            )}
            {able.length > 1 && (
              <Checkbox
                label={texts.all(able.length)}
                checked={selected.size === able.length}
                indeterminate={selected.size > 0 && selected.size < able.length}
                onChange={() =>
                  setSelected(new Set(selected.size === able.length ? [] : able.map(({ _id }) => _id)))
                }
              />
            )}
            {rows.length > 0 && (
              <table className={`ui-table ${styles.rows}`} aria-label={texts.table}>
                <thead>
                  <tr>
                    <th scope="col">{texts.row}</th>
                    <th scope="col">{texts.what}</th>
                  </tr>
                </thead>
                <tbody>
                  {rows.slice((page - 1) * LIMIT, page * LIMIT).map((row) => (
                    <Compared
                      key={row._id}
                      row={row}
                      isSelected={selected.has(row._id)}
                      onToggle={() => setSelected(toggled(selected, [], row._id))}
                    />
                  ))}
                </tbody>
              </table>
            )}
            <Pager page={page} limit={LIMIT} total={rows.length} isStale={false} onPage={setPage} />
            {rows.some(({ state }) => state === 'missing') && <p className="ui-muted">{texts.comments}</p>}
          </>
        )}
      </div>
      <div className="ui-line ui-end ui-mt-5">
        <Button variant="default" disabled={isCopying} onClick={onClose}>
          {able.length === 0 ? texts.close : texts.cancel}
        </Button>
        {able.length > 0 && (
          <Button disabled={selected.size === 0} loading={isCopying} onClick={() => void submit()}>
            {texts.submit(selected.size)}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

const STATE_TONES = { missing: 'warn', different: 'accent', same: 'neutral' } as const;

type ComparedProps = { row: BackupRow; isSelected: boolean; onToggle: () => void };

function Compared({ row, isSelected, onToggle }: ComparedProps): ReactNode {
  const timeZone = useTimeZone();
  const { dealershipName, month, state, changes, reason } = row;
  const customerName = row.customerName || texts.unnamed;
  return (
    <tr>
      <th scope="row">
        <span className="ui-line ui-top">
          {state !== 'same' && reason === null && (
            <Checkbox aria-label={texts.include(customerName)} checked={isSelected} onChange={onToggle} />
          )}
          <span>
            {customerName}
            <span className="ui-sub">{`${dealershipName}, ${formatMonth(month)}`}</span>
          </span>
        </span>
      </th>
      <td>
        <div className="ui-stack ui-gap-2">
          <p>
            {reason === null ? (
              <StatusBadge tone={STATE_TONES[state]}>{texts.states[state]}</StatusBadge>
            ) : (
              <>
                <StatusBadge tone="warn">{texts.refused}</StatusBadge> {reason}
              </>
            )}
          </p>
          {changes.length > 0 && (
            <ValueChanges
              changes={changes.map((change) => describeChange(change, state === 'missing', timeZone))}
            />
          )}
        </div>
      </td>
    </tr>
  );
}
