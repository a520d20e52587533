import type { Status } from '@forecourt/contract/statuses';
import { Button, Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { usePermissions } from '../../platform/permissions.ts';
import { texts } from '../../texts/statuses.ts';
import { FormModal } from '../../ui/FormModal.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { toastDone } from '../../ui/toasts.ts';
import { useForm } from '../../ui/use-form.ts';
import { statusesQuery, useCountOnly } from './statuses.queries.ts';

/** Asks administrators which statuses count for commission, until that is set for every status. */
export function CountingNotice(): ReactNode {
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

function CountingForm({
  statuses,
  onClose,
}: {
  statuses: readonly Status[];
  onClose: () => void;
}): ReactNode {
  const { mutateAsync } = useCountOnly();
  const form = useForm({
    initial: {
      ids: statuses.filter(({ countsForCommission }) => countsForCommission !== false).map(({ _id }) => _id),
    },
    failed: texts.countFailed,
    submit: async ({ ids }) => {
      await mutateAsync(ids);
      toastDone(texts.countDecided);
      onClose();
    },
  });
  const { ids } = form.values;
  return (
    <FormModal title={texts.countTitle} size="sm" form={form} onClose={onClose}>
      <p>{texts.countQuestion}</p>
      {statuses.map(({ _id, name }) => (
        <Checkbox
          key={_id}
          label={name}
          checked={ids.includes(_id)}
          onChange={({ currentTarget: { checked } }) =>
            form.set('ids', checked ? [...ids, _id] : ids.filter((id) => id !== _id))
          }
        />
      ))}
    </FormModal>
  );
}
