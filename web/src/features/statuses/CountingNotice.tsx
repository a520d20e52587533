import type { Status } from '@forecourt/contract/statuses';
import { Button, Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { usePermissions } from '../../platform/permissions.ts';
import { texts } from '../../texts/statuses.ts';
import type { ComparedField } from '../../ui/foreign-changes.ts';
import { FormModal } from '../../ui/FormModal.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useRecordForm } from '../../ui/use-record-form.ts';
import { statusesQuery, useCountOnly } from './statuses.queries.ts';

/** Asks administrators which statuses count for commission, until it is decided for every status. */
export default function CountingNotice(): ReactNode {
  const { isAdmin } = usePermissions();
  const { data } = useQuery({ ...statusesQuery, enabled: isAdmin });
  const [isOpen, setIsOpen] = useState(false);
  const statuses = data?.items ?? [];
  return (
    <>
      {isAdmin && statuses.some(({ countsForCommission }) => countsForCommission === null) && (
        <Notice
          action={
            <Button variant="default" onClick={() => setIsOpen(true)}>
              {texts.countDecide}
            </Button>
          }
        >
          {texts.countUndecided}
        </Notice>
      )}
      {isOpen && <CountingForm statuses={statuses} onClose={() => setIsOpen(false)} />}
    </>
  );
}

type Counted = { counted: readonly Status[] };

const has = ({ counted }: Counted, id: string): boolean => counted.some(({ _id }) => _id === id);

const comparedFields: readonly ComparedField<Counted>[] = [
  {
    field: 'counted',
    label: texts.counts,
    text: ({ counted }) => counted.map(({ name }) => name).join(', ') || texts.countNone,
    exact: ({ counted }) =>
      counted
        .map(({ _id }) => _id)
        .sort()
        .join(),
  },
];

type CountingFormProps = { statuses: readonly Status[]; onClose: () => void };

export function CountingForm({ statuses, onClose }: CountingFormProps): ReactNode {
  const { mutateAsync } = useCountOnly();
  const form = useRecordForm({
    record: { items: statuses },
    valuesOf: ({ items }): Counted => ({
      counted: items.filter(({ countsForCommission }) => countsForCommission !== false),
    }),
    inputOf: (values, { items }) => ({
      ids: items.map(({ _id }) => _id).filter((id) => has(values, id)),
      versions: Object.fromEntries(items.map(({ _id, version }) => [_id, version])),
    }),
    fields: comparedFields,
    failed: texts.countFailed,
    send: (body) => mutateAsync({ body }),
    sent: texts.countDecided,
    onClose,
  });
  const { counted } = form.values;
  return (
    <FormModal title={texts.countTitle} size="sm" form={form} onClose={onClose}>
      <p>{texts.countQuestion}</p>
      {form.base.items.map((status) => (
        <Checkbox
          key={status._id}
          label={status.name}
          checked={has(form.values, status._id)}
          onChange={({ currentTarget: { checked } }) =>
            form.set(
              'counted',
              checked ? [...counted, status] : counted.filter(({ _id }) => _id !== status._id),
            )
          }
        />
      ))}
    </FormModal>
  );
}
