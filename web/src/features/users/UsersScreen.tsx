import type { Role } from '@forecourt/contract/auth';
import type { Entry, User } from '@forecourt/contract/users';
import { Button, ActionIcon, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import ArrowRightLeft from 'lucide-react/icons/arrow-right-left';
import Ellipsis from 'lucide-react/icons/ellipsis';
import KeyRound from 'lucide-react/icons/key-round';
import Link2 from 'lucide-react/icons/link-2';
import MonitorSmartphone from 'lucide-react/icons/monitor-smartphone';
import Power from 'lucide-react/icons/power';
import PowerOff from 'lucide-react/icons/power-off';
import ShieldCheck from 'lucide-react/icons/shield-check';
import ShieldOff from 'lucide-react/icons/shield-off';
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal';
import UserPlus from 'lucide-react/icons/user-plus';
import Users from 'lucide-react/icons/users';
import { useState, type ReactNode } from 'react';
import { formatDateTime } from '../../platform/formats.ts';
import { newKey } from '../../platform/ids.ts';
import { paths } from '../../platform/paths.ts';
import { useSession } from '../../platform/session.ts';
import { texts } from '../../texts/users.ts';
import { IconAction } from '../../ui/ActionButton.tsx';
import { ButtonMenu, MenuAction } from '../../ui/ButtonMenu.tsx';
import { labelChoices } from '../../ui/choices.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import type { DataColumn } from '../../ui/DataTable.tsx';
import { ChoiceFilter, FilterBar, SearchFilter } from '../../ui/FilterBar.tsx';
import { createIntentionKeys } from '../../ui/intention-keys.ts';
import { ListScreen } from '../../ui/ListScreen.tsx';
import { PeopleTabs } from '../../ui/PeopleTabs.tsx';
import { RowAction } from '../../ui/RowAction.tsx';
import { StatusBadge, type BadgeTone } from '../../ui/StatusBadge.tsx';
import { valueColumn, timeColumn } from '../../ui/table/columns.tsx';
import { toastFailed, toastOutcome, toastDone } from '../../ui/toasts.ts';
import { useOpener } from '../../ui/use-opener.ts';
import { EntryDialog } from './EntryDialog.tsx';
import { noFilter, matchingUsers, statusOf, type UserStatus, type UserFilter } from './find-users.ts';
import { SessionsDrawer } from './SessionsDrawer.tsx';
import { TransferAll } from './TransferAll.tsx';
import { NewUserForm, UserForm } from './UserForm.tsx';
import {
  usersQuery,
  useInvite,
  useRequireTwoStep,
  useSaveUser,
  useResetPassword,
  useResetTwoStep,
} from './users.queries.ts';

const tones: Record<UserStatus, BadgeTone> = {
  active: 'good',
  inactive: 'neutral',
  invited: 'accent',
  mustChange: 'warn',
};

function Status({ user }: { user: User }): ReactNode {
  const status = statusOf(user);
  const until = status === 'invited' && user.invitedUntil;
  return (
    <span className="ui-row">
      <StatusBadge tone={tones[status]}>{texts.statuses[status]}</StatusBadge>
      {until && <span className="ui-quiet">{texts.until(formatDateTime(until))}</span>}
    </span>
  );
}

function twoStepText({ twoStep }: User): string {
  if (twoStep.on) return texts.twoStepOn;
  return twoStep.required ? texts.twoStepRequired : texts.twoStepOff;
}

/** On a phone the status is below the name. Name, role and status have filters above the table. */
const userColumns: readonly DataColumn<User>[] = [
  {
    id: 'name',
    header: texts.name,
    sortBy: ({ name }) => name,
    render: (user) => (
      <div className="ui-stack ui-gap-0 ui-anywhere">
        <span className="ui-strong">{user.name}</span>
        <span className="ui-quiet">{user.email}</span>
        <span className="ui-inline ui-phone-only">
          <Status user={user} />
        </span>
      </div>
    ),
  },
  valueColumn({ id: 'role', header: texts.role, width: '130px', of: ({ role }) => texts.roles[role] }),
  valueColumn({
    id: 'status',
    header: texts.status,
    width: '180px',
    of: (user) => texts.statuses[statusOf(user)],
    render: (user) => <Status user={user} />,
  }),
  timeColumn({
    id: 'lastLogin',
    header: texts.lastLogin,
    of: ({ lastLogin }) => lastLogin,
    filter: 'date',
    none: texts.never,
  }),
  valueColumn({
    id: 'sessions',
    header: texts.sessions,
    width: '90px',
    align: 'right',
    of: ({ sessions }) => sessions,
    filter: 'number',
  }),
  valueColumn({ id: 'twoStep', header: texts.twoStep, width: '130px', of: twoStepText, filter: 'choice' }),
];

/** All users: their accounts, their first sign-in, and leaving (docs/product/people-and-permissions.md, Users). */
export default function UsersScreen(): ReactNode {
  const query = useQuery(usersQuery);
  const { data } = query;
  const [filter, setFilter] = useState(noFilter);
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const close = (): void => setOpen(null);
  // The response may have opened another dialog, which must stay.
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

/** Actions that need a confirmation. */
type Question = 'deactivate' | 'resetPassword' | 'resetTwoStep';

type OpenDialog =
  | { kind: 'add' }
  | { kind: 'edit' | 'sessions' | 'transferAll'; user: User }
  | { kind: 'question'; question: Question; user: User }
  | { kind: 'entry'; entry: Entry; user: Pick<User, 'name' | 'email'> };

type UserQuestionProps = {
  question: Question;
  user: User;
  onClose: () => void;
  onEntry: (user: User, entry: Entry) => void;
};

function UserQuestion({ question, user, onClose, onEntry }: UserQuestionProps): ReactNode {
  const { _id: id, name, sessions } = user;
  const save = useSaveUser();
  const resetPassword = useResetPassword();
  const resetTwoStep = useResetTwoStep();
  const [keyFor] = useState(createIntentionKeys);

  const questions = {
    deactivate: {
      title: texts.deactivateTitle,
      confirmLabel: texts.deactivate,
      failed: texts.updateFailed,
      what: texts.deactivateWhat(name, sessions),
      next: texts.deactivateNext,
      act: async () => {
        const changes = { isActive: false };
        await save.mutateAsync({ params: { id }, body: changes, idempotencyKey: keyFor(changes) });
        toastDone(texts.deactivated(name));
      },
    },
    resetPassword: {
      title: texts.resetTitle,
      confirmLabel: texts.resetPassword,
      failed: texts.resetFailed,
      what: texts.resetWhat(name),
      next: undefined,
      act: async () =>
        onEntry(
          user,
          await resetPassword.mutateAsync({ params: { id }, idempotencyKey: keyFor('resetPassword') }),
        ),
    },
    resetTwoStep: {
      title: texts.resetTwoStepTitle,
      confirmLabel: texts.resetTwoStep,
      failed: texts.updateFailed,
      what: texts.resetTwoStepWhat(name),
      next: undefined,
      act: async () => {
        await resetTwoStep.mutateAsync({ params: { id } });
        toastDone(texts.twoStepForgotten(name));
      },
    },
  };
  const { title, confirmLabel, failed, what, next, act } = questions[question];

  return (
    <ConfirmDialog
      title={title}
      confirmLabel={confirmLabel}
      failed={failed}
      destructive
      onConfirm={act}
      onClose={onClose}
    >
      <p>{what}</p>
      {next !== undefined && <p className="ui-muted ui-mt-2">{next}</p>}
    </ConfirmDialog>
  );
}

type UserFiltersProps = { filter: UserFilter; onChange: (filter: UserFilter) => void };

function UserFilters({ filter, onChange }: UserFiltersProps): ReactNode {
  return (
    <FilterBar>
      <SearchFilter
        label={texts.search}
        value={filter.search}
        onChange={(search) => onChange({ ...filter, search })}
      />
      <ChoiceFilter
        label={texts.role}
        all={texts.allRoles}
        data={labelChoices(texts.roles)}
        value={filter.role ?? ''}
        onChange={(role) => onChange({ ...filter, role: role === '' ? null : (role as Role) })}
      />
      <ChoiceFilter
        label={texts.status}
        all={texts.allStatuses}
        data={labelChoices(texts.statuses)}
        value={filter.status ?? ''}
        onChange={(status) => onChange({ ...filter, status: status === '' ? null : (status as UserStatus) })}
      />
    </FilterBar>
  );
}

type UserActionsProps = { user: User; onOpen: (open: OpenDialog) => void };

/** The buttons of a row, and a menu of rarer actions. Users change their own password on the account screen. */
function UserActions({ user, onOpen }: UserActionsProps): ReactNode {
  const { user: self } = useSession();
  const isOwn = self?._id === user._id;
  const navigate = useNavigate();
  const save = useSaveUser();
  const requireTwoStep = useRequireTwoStep();
  const invite = useInvite();
  const { button, part } = useOpener('menu');
  const ask = (question: Question): void => onOpen({ kind: 'question', question, user });

  const activate = (): void =>
    toastOutcome(
      save.mutateAsync({ params: { id: user._id }, body: { isActive: true }, idempotencyKey: newKey() }),
      texts.activated(user.name),
      texts.updateFailed,
    );
  const toggleTwoStep = (): void => {
    const required = !user.twoStep.required;
    toastOutcome(
      requireTwoStep.mutateAsync({ params: { id: user._id }, body: { required } }),
      required ? texts.twoStepAsked(user.name) : texts.twoStepReleased(user.name),
      texts.updateFailed,
    );
  };
  const inviteAnew = (): void =>
    void invite.mutateAsync({ params: { id: user._id } }).then(
      (entry) => onOpen({ kind: 'entry', user, entry }),
      (thrown: unknown) => toastFailed(thrown, texts.inviteFailed),
    );

  return (
    <>
      <RowAction action="edit" name={user.name} onClick={() => onOpen({ kind: 'edit', user })} />
      <IconAction
        label={texts.sessionsOf(user.name)}
        icon={MonitorSmartphone}
        onClick={() => onOpen({ kind: 'sessions', user })}
      />
      <ActionIcon aria-label={texts.rowMore(user.name)} {...button}>
        <Ellipsis />
      </ActionIcon>
      {part && (
        <ButtonMenu part={part} position="bottom-end">
          <MenuAction
            icon={<SlidersHorizontal />}
            onRun={() => void navigate({ href: paths.permissionsOf(user._id) })}
          >
            {texts.permissions}
          </MenuAction>
          {!isOwn && (
            <MenuAction icon={<KeyRound />} onRun={() => ask('resetPassword')}>
              {texts.resetPassword}
            </MenuAction>
          )}
          {!isOwn && user.lastLogin === null && (
            <MenuAction icon={<Link2 />} onRun={inviteAnew}>
              {texts.invite}
            </MenuAction>
          )}
          <MenuAction icon={<ShieldCheck />} onRun={toggleTwoStep}>
            {user.twoStep.required ? texts.releaseTwoStep : texts.requireTwoStep}
          </MenuAction>
          {!isOwn && user.twoStep.on && (
            <MenuAction icon={<ShieldOff />} onRun={() => ask('resetTwoStep')}>
              {texts.resetTwoStep}
            </MenuAction>
          )}
          <Menu.Divider />
          <MenuAction icon={<ArrowRightLeft />} onRun={() => onOpen({ kind: 'transferAll', user })}>
            {texts.transferAll}
          </MenuAction>
          {user.isActive ? (
            <MenuAction icon={<PowerOff />} onRun={() => ask('deactivate')}>
              {texts.deactivate}
            </MenuAction>
          ) : (
            <MenuAction icon={<Power />} onRun={activate}>
              {texts.activate}
            </MenuAction>
          )}
        </ButtonMenu>
      )}
    </>
  );
}
