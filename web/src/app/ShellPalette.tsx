import { useMantineColorScheme } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useIsDemo } from '../features/demo/demo.queries.ts';
import type { PaletteEntry } from '../features/palette/palette-entries.ts';
import Palette from '../features/palette/Palette.tsx';
import { paths } from '../platform/paths.ts';
import { usePermissions } from '../platform/permissions.ts';
import { useOfferedCommands } from '../platform/screen-commands.ts';
import { signOut } from '../platform/session.ts';
import { texts } from '../texts/app.ts';
import { texts as paletteTexts } from '../texts/palette.ts';
import { toastWarning } from '../ui/toasts.ts';
import { menuOf } from './menu.ts';

/** The palette and the commands of the shell are one script. */
export default function ShellPalette({
  onClose,
  ...actions
}: ShellActions & { onClose: () => void }): ReactNode {
  return <Palette commands={useShellCommands(actions)} onClose={onClose} />;
}

type SettingScreens = readonly (readonly [keyof typeof paletteTexts.settings, string])[];

const ownSettings: SettingScreens = [
  ['password', paths.changePassword],
  ['twoStep', paths.account],
  ['sessions', paths.account],
  ['mentionMail', paths.account],
];
const administratorSettings: SettingScreens = [
  ['rates', paths.generalSettingsOf('company')],
  ['moveRows', paths.generalSettingsOf('company')],
  ['commissionStatuses', paths.statuses],
  ['mailServer', paths.emailSettings],
  ['dataEntryRights', paths.permissions],
  ['twoStepOfUsers', paths.users],
  ['copies', paths.backups],
  ['schedule', paths.backups],
];

type ShellActions = { onHelp: () => void; onDebugPanel: () => void };

/** Returns the palette's entries: screens in the menu, settings, and actions of the open screen and the shell. */
function useShellCommands({ onHelp, onDebugPanel }: ShellActions): PaletteEntry[] {
  const permissions = usePermissions();
  const navigate = useNavigate();
  const isDemo = useIsDemo();
  const { setColorScheme } = useMantineColorScheme();
  const ofScreen = useOfferedCommands();
  const screen = (label: string, to: string): PaletteEntry => ({
    id: `screen-${to}`,
    group: 'screens',
    label,
    run: () => void navigate({ to }),
  });
  const action = (label: string, run: () => void): PaletteEntry => ({
    id: `action-${label}`,
    group: 'actions',
    label,
    run,
  });
  const opens = (label: string, to: string): PaletteEntry => action(label, () => void navigate({ to }));

  const settings = ([name, to]: readonly [keyof typeof paletteTexts.settings, string]): PaletteEntry => ({
    id: `setting-${name}`,
    group: 'settings',
    label: paletteTexts.settings[name],
    run: () => void navigate({ to }),
  });

  return [
    ...[...menuOf(permissions, 'work', isDemo), ...menuOf(permissions, 'settings', isDemo)].map(
      ({ label, to }) => screen(label, to),
    ),
    ...(permissions.isAdmin
      ? [screen(paletteTexts.permissions, paths.permissions)]
      : [screen(paletteTexts.profile, paths.generalSettings)]),
    screen(paletteTexts.account, paths.account),
    ...ofScreen.map(({ id, label, keys, ability, run }): PaletteEntry => ({
      id: `command-${id}`,
      group: 'actions',
      label,
      note: ability === true ? keys : paletteTexts.notNow(ability),
      run: ability === true ? run : () => toastWarning(ability),
    })),
    ...(permissions.page('emailTemplates') && permissions.feature('manageTemplates')
      ? [opens(paletteTexts.newTemplate, paths.newTemplate)]
      : []),
    ...(permissions.page('dataEntry') && permissions.feature('viewReports')
      ? [opens(paletteTexts.statement, paths.statement)]
      : []),
    opens(paletteTexts.statements, paths.statements),
    ...ownSettings.map(settings),
    ...(permissions.isAdmin ? administratorSettings.map(settings) : []),
    action(paletteTexts.shortcuts, onHelp),
    ...(permissions.isAdmin ? [action(texts.debugPanel, onDebugPanel)] : []),
    action(paletteTexts.light, () => setColorScheme('light')),
    action(paletteTexts.dark, () => setColorScheme('dark')),
    action(paletteTexts.system, () => setColorScheme('auto')),
    action(texts.signOut, signOut),
  ];
}
