import type { Entry, User } from '@forecourt/contract/users';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import UserPlus from 'lucide-react/icons/user-plus';
import Users from 'lucide-react/icons/users';
import { useState, type ReactNode } from 'react';
import { texts } from '../../texts/users.ts';
import { ListScreen } from '../../ui/ListScreen.tsx';
import { PeopleTabs } from '../../ui/PeopleTabs.tsx';
import { EntryDialog } from './EntryDialog.tsx';
import { noFilter, matchingUsers } from './find-users.ts';
import { NewUserForm } from './NewUserForm.tsx';
import type { OpenDialog } from './open-dialog.ts';
import { SessionsDrawer } from './SessionsDrawer.tsx';
import { TransferAll } from './TransferAll.tsx';
import { UserActions } from './UserActions.tsx';
import { UserFilters } from './UserFilters.tsx';
import { UserForm } from './UserForm.tsx';
import { UserQuestion } from './UserQuestion.tsx';
import { userColumns } from './users.columns.tsx';
import { usersQuery } from './users.queries.ts';

/** All users (docs/product/people-and-permissions.md, Users): their accounts, their first sign-in, and leaving. */
export function UsersScreen(): ReactNode {
  const query = useQuery(usersQuery);
  const { data } = query;
  const [filter, setFilter] = useState(noFilter);
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const close = (): void => setOpen(null);
  // The response may have opened another dialog.
  const closeQuestion = (): void => setOpen((now) => (now?.kind === 'question' ? null : now));
  const showEntry = (user: User, entry: Entry): void => setOpen({ kind: 'entry', user, entry });

  return (
    <ListScreen
      texts={texts}
      actions={
        <Button leftSection={<UserPlus />} onClick={() => setOpen({ kind: 'add' })}>
          {texts.add}
        </Button>
      }
      before={<PeopleTabs />}
      query={query}
      filters={<UserFilters filter={filter} onChange={setFilter} />}
      name="users"
      columns={userColumns}
      rows={data && matchingUsers(data.items, filter)}
      rowKey={({ _id }) => _id}
      rowLabel={({ name }) => name}
      isMuted={({ isActive }) => !isActive}
      rowActions={(user) => <UserActions user={user} onOpen={setOpen} />}
      icon={<Users />}
      emptyAction={
        <Button variant="default" onClick={() => setFilter(noFilter)}>
          {texts.showAll}
        </Button>
      }
    >
      {open?.kind === 'add' && <NewUserForm onClose={close} onAdded={showEntry} />}
      {open?.kind === 'edit' && <UserForm user={open.user} onClose={close} />}
      {open?.kind === 'sessions' && <SessionsDrawer user={open.user} onClose={close} />}
      {open?.kind === 'transferAll' && <TransferAll user={open.user} onClose={close} />}
      {open?.kind === 'question' && (
        <UserQuestion question={open.question} user={open.user} onClose={closeQuestion} onEntry={showEntry} />
      )}
      {open?.kind === 'entry' && <EntryDialog user={open.user} entry={open.entry} onClose={close} />}
    </ListScreen>
  );
}
