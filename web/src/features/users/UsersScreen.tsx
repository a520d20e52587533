import type { Entry, User } from '@forecourt/contract/users';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import UserPlus from 'lucide-react/icons/user-plus';
import Users from 'lucide-react/icons/users';
import { useState, type ReactNode } from 'react';
import { texts } from '../../texts/users.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LoadFailed } from '../../ui/LoadFailed.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { PeopleTabs } from '../../ui/PeopleTabs.tsx';
import { EntryDialog } from './EntryDialog.tsx';
import { HandOver } from './HandOver.tsx';
import { NewUserForm } from './NewUserForm.tsx';
import type { OpenDialog } from './open-dialog.ts';
import { SessionsDrawer } from './SessionsDrawer.tsx';
import { noFilter, matchingUsers } from './user-values.ts';
import { UserActions } from './UserActions.tsx';
import { UserFilters } from './UserFilters.tsx';
import { UserForm } from './UserForm.tsx';
import { UserQuestion } from './UserQuestion.tsx';
import { userColumns } from './users.columns.tsx';
import { usersQuery } from './users.queries.ts';

/** Everybody with an account (spec section 2): who they are, how they get in, and what happens when they leave. */
export function UsersScreen(): ReactNode {
  const { data, error, refetch } = useQuery(usersQuery);
  const [filter, setFilter] = useState(noFilter);
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const close = (): void => setOpen(null);
  // An answer may have opened what it brought.
  const closeQuestion = (): void => setOpen((now) => (now?.kind === 'question' ? null : now));
  const showEntry = (user: User, entry: Entry): void => setOpen({ kind: 'entry', user, entry });

  return (
    <Page>
      <PageHeader
        title={texts.title}
        note={texts.note}
        actions={
          <Button leftSection={<UserPlus />} onClick={() => setOpen({ kind: 'add' })}>
            {texts.add}
          </Button>
        }
      />
      <PeopleTabs />
      {error ? (
        <LoadFailed error={error} message={texts.loadFailed} retry={() => void refetch()} />
      ) : (
        <>
          <UserFilters filter={filter} onChange={setFilter} />
          <DataTable
            label={texts.table}
            name="users"
            columns={userColumns}
            rows={data && matchingUsers(data.items, filter)}
            rowKey={({ _id }) => _id}
            rowLabel={({ name }) => name}
            isMuted={({ isActive }) => !isActive}
            empty={
              <EmptyState
                icon={<Users />}
                title={texts.noneFound}
                action={
                  <Button variant="default" onClick={() => setFilter(noFilter)}>
                    {texts.showAll}
                  </Button>
                }
              >
                {texts.noneFoundNext}
              </EmptyState>
            }
            actions={(user) => <UserActions user={user} onOpen={setOpen} />}
          />
        </>
      )}
      {open?.kind === 'add' && <NewUserForm onClose={close} onAdded={showEntry} />}
      {open?.kind === 'edit' && <UserForm user={open.user} onClose={close} />}
      {open?.kind === 'sessions' && <SessionsDrawer user={open.user} onClose={close} />}
      {open?.kind === 'handOver' && <HandOver user={open.user} onClose={close} />}
      {open?.kind === 'question' && (
        <UserQuestion question={open.question} user={open.user} onClose={closeQuestion} onEntry={showEntry} />
      )}
      {open?.kind === 'entry' && <EntryDialog user={open.user} entry={open.entry} onClose={close} />}
    </Page>
  );
}
