import type { PermissionBody, UserPermissions } from '@forecourt/contract/permissions';

type Person = { readonly _id: string; readonly name: string; readonly email: string };

/** The users who can be granted a status, and those who have the grant. Administrators may change all statuses. */
export type Grants = {
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
 * Returns the records to save, so that the chosen users have the grant and the users who were removed from the
 * selection do not. Other users keep what another administrator saved meanwhile.
 * @param offered the users who had the grant when the choice began
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
