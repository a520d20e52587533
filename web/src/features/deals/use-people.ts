import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { SelectOption } from '../../grid/grid.ts';
import { useFirstScreenStands } from '../../platform/coming-later.ts';
import { useMay } from '../../platform/permissions.ts';
import { directoryQuery } from '../users/users.queries.ts';

/** Whom rows can be handed to, for those who may: by name, and those who share one by their email too. */
export function usePeople(): readonly SelectOption[] {
  const may = useMay();
  const stands = useFirstScreenStands();
  const enabled = stands && may.do('dataEntry', 'canChangeOwnership') && may.feature('bulkEdit');
  const { data } = useQuery({ ...directoryQuery, enabled });
  return useMemo(() => {
    const people = data?.items ?? [];
    const alike = Map.groupBy(people, ({ name }) => name);
    return people.map(({ _id, name, email }) => ({
      value: _id,
      label: alike.get(name)?.length === 1 ? name : `${name} (${email})`,
    }));
  }, [data]);
}
