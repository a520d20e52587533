import type { User } from '@forecourt/contract/users';
import { ActionIcon, Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import ArrowRightLeft from 'lucide-react/icons/arrow-right-left';
import Ellipsis from 'lucide-react/icons/ellipsis';
import KeyRound from 'lucide-react/icons/key-round';
import Link2 from 'lucide-react/icons/link-2';
import MonitorSmartphone from 'lucide-react/icons/monitor-smartphone';
import Pencil from 'lucide-react/icons/pencil';
import Power from 'lucide-react/icons/power';
import PowerOff from 'lucide-react/icons/power-off';
import ShieldCheck from 'lucide-react/icons/shield-check';
import ShieldOff from 'lucide-react/icons/shield-off';
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal';
import type { ReactNode } from 'react';
import { newKey } from '../../platform/ids.ts';
import { paths } from '../../platform/paths.ts';
import { useSession } from '../../platform/session.ts';
import { texts } from '../../texts/users.ts';
import { IconAction } from '../../ui/ActionButton.tsx';
import { toastDone, toastFailed } from '../../ui/toasts.ts';
import type { OpenDialog, Question } from './open-dialog.ts';
import { useInvite, useRequireTwoStep, useSaveUser } from './users.queries.ts';

type UserActionsProps = { user: User; onOpen: (open: OpenDialog) => void };

/** The buttons of one row, and a menu of rarer actions. Users change their own password on their account screen. */
export function UserActions({ user, onOpen }: UserActionsProps): ReactNode {
  const { user: self } = useSession();
  const isOwn = self?._id === user._id;
  const navigate = useNavigate();
  const save = useSaveUser();
  const requireTwoStep = useRequireTwoStep();
  const invite = useInvite();
  const ask = (question: Question): void => onOpen({ kind: 'question', question, user });

  const activate = (): void =>
    save.mutate(
      { id: user._id, changes: { isActive: true }, idempotencyKey: newKey() },
      {
        onSuccess: () => toastDone(texts.activated(user.name)),
        onError: (error) => toastFailed(error, texts.updateFailed),
      },
    );
  const toggleTwoStep = (): void =>
    requireTwoStep.mutate(
      { id: user._id, required: !user.twoStep.required },
      {
        onSuccess: ({ twoStep }) =>
          toastDone(twoStep.required ? texts.twoStepAsked(user.name) : texts.twoStepReleased(user.name)),
        onError: (error) => toastFailed(error, texts.updateFailed),
      },
    );
  const inviteAnew = (): void =>
    invite.mutate(user._id, {
      onSuccess: (entry) => onOpen({ kind: 'entry', user, entry }),
      onError: (error) => toastFailed(error, texts.inviteFailed),
    });

  return (
    <>
      <IconAction
        label={texts.named(texts.rowEdit, user.name)}
        icon={Pencil}
        onClick={() => onOpen({ kind: 'edit', user })}
      />
      <IconAction
        label={texts.named(texts.rowSessions, user.name)}
        icon={MonitorSmartphone}
        onClick={() => onOpen({ kind: 'sessions', user })}
      />
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={texts.named(texts.rowMore, user.name)}>
            <Ellipsis />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<SlidersHorizontal />}
            onClick={() => void navigate({ href: paths.permissionsOf(user._id) })}
          >
            {texts.permissions}
          </Menu.Item>
          {!isOwn && (
            <Menu.Item leftSection={<KeyRound />} onClick={() => ask('resetPassword')}>
              {texts.resetPassword}
            </Menu.Item>
          )}
          {!isOwn && user.lastLogin === null && (
            <Menu.Item leftSection={<Link2 />} onClick={inviteAnew}>
              {texts.invite}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<ShieldCheck />} onClick={toggleTwoStep}>
            {user.twoStep.required ? texts.releaseTwoStep : texts.requireTwoStep}
          </Menu.Item>
          {!isOwn && user.twoStep.on && (
            <Menu.Item leftSection={<ShieldOff />} onClick={() => ask('resetTwoStep')}>
              {texts.resetTwoStep}
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item leftSection={<ArrowRightLeft />} onClick={() => onOpen({ kind: 'transferAll', user })}>
            {texts.transferAll}
          </Menu.Item>
          {user.isActive ? (
            <Menu.Item leftSection={<PowerOff />} onClick={() => ask('deactivate')}>
              {texts.deactivate}
            </Menu.Item>
          ) : (
            <Menu.Item leftSection={<Power />} onClick={activate}>
              {texts.activate}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
