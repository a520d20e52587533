import type { PermissionBody, UserPermissions } from '@forecourt/contract/permissions';
import type { Status } from '@forecourt/contract/statuses';
import { Loader, MultiSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { directoryQuery, permissionsQuery } from '../../platform/directory.ts';
import { newKey } from '../../platform/ids.ts';
import { texts } from '../../texts/statuses.ts';
import { FormModal } from '../../ui/FormModal.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { toastDone } from '../../ui/toasts.ts';
import { useForm } from '../../ui/use-form.ts';
import { useSavePermissions } from '../permissions/permissions.queries.ts';

type Person = { readonly _id: string; readonly name: string; readonly email: string };

/** Users who can get the permission to edit a status, and ids of those who have it. Administrators always do. */
type Grants = {
  readonly people: readonly { value: string; label: string }[];
  readonly granted: readonly string[];
  readonly records: readonly UserPermissions[];
};

const editable = ({ resources }: UserPermissions): readonly string[] =>
  resources.statusConfigurations.canEdit;

export function grantsOf(
  statusId: string,
  all: readonly UserPermissions[],
  people: readonly Person[],
): Grants {
  const records = all.filter(
    ({ role, userId }) => role === 'user' && people.some(({ _id }) => _id === userId),
  );
  return {
    people: people
      .filter(({ _id }) => records.some(({ userId }) => userId === _id))
      .map(({ _id, name, email }) => ({ value: _id, label: `${name} (${email})` })),
    granted: records.filter((record) => editable(record).includes(statusId)).map(({ userId }) => userId),
    records,
  };
}

/**
 * Returns the records to save, so that the chosen users have the grant and removed ones do not. Other users' grants
 * stay as another administrator may have saved them.
 * @param offered the users who had the grant when the dialog was opened
 */
export const grantChanges = (
  statusId: string,
  { records }: Pick<Grants, 'records'>,
  offered: readonly string[],
  chosen: readonly string[],
): { userId: string; body: PermissionBody }[] =>
  records
    .filter(
      (record) =>
        offered.includes(record.userId) !== chosen.includes(record.userId) &&
        editable(record).includes(statusId) !== chosen.includes(record.userId),
    )
    .map((record) => {
      const others = editable(record).filter((id) => id !== statusId);
      const canEdit = chosen.includes(record.userId) ? [...others, statusId] : others;
      return {
        userId: record.userId,
        body: { resources: { statusConfigurations: { canEdit } }, version: record.version },
      };
    });

type GrantStatusProps = { status: Status; onClose: () => void };

/** Chooses users who may change the name, the colour and the active state of a status. */
export function GrantStatus({ status, onClose }: GrantStatusProps): ReactNode {
  const records = useQuery(permissionsQuery);
  const directory = useQuery(directoryQuery);
  const grants =
    records.data && directory.data && grantsOf(status._id, records.data.items, directory.data.items);
  if (grants) return <GrantForm status={status} grants={grants} onClose={onClose} />;
  return (
    <FormModal
      title={texts.grantTitle(status.name)}
      form={{ message: null, busy: true, onSubmit: (event) => event.preventDefault() }}
      onClose={onClose}
    >
      <Loaded of={[records, directory]} message={texts.peopleFailed} loading={<Loader size={16} />} />
    </FormModal>
  );
}

type GrantFormProps = GrantStatusProps & { grants: Grants };

function GrantForm({ status, grants, onClose }: GrantFormProps): ReactNode {
  const { mutateAsync } = useSavePermissions();
  const [{ granted }] = useState(grants);
  const form = useForm({
    initial: { people: granted },
    failed: texts.grantFailed,
    submit: async ({ people }) => {
      for (const { userId, body } of grantChanges(status._id, grants, granted, people)) {
        await mutateAsync({ params: { id: userId }, body, idempotencyKey: newKey() });
      }
      toastDone(texts.granted);
      onClose();
    },
  });
  return (
    <FormModal title={texts.grantTitle(status.name)} form={form} onClose={onClose}>
      <MultiSelect
        label={texts.grantees}
        description={texts.granteesHint}
        placeholder={form.values.people.length === 0 ? texts.onlyAdmins : undefined}
        nothingFoundMessage={texts.nobodyFound}
        searchable
        data-autofocus
        data={grants.people}
        value={[...form.values.people]}
        onChange={(people) => form.set('people', people)}
      />
    </FormModal>
  );
}
