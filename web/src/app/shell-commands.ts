import { useMantineColorScheme } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useIsDemo } from '../features/demo/demo.queries.ts';
import type { PaletteEntry } from '../features/palette/palette-entries.ts';
import { paths } from '../platform/paths.ts';
import type { PermissionSet } from '../platform/permission-set.ts';
import { signOut } from '../platform/session.ts';
import { texts as shellTexts } from '../texts/app.ts';
import { texts } from '../texts/palette.ts';
import { menuOf } from './menu.ts';

type ShellActions = { permissions: PermissionSet; onHelp: () => void; onDebugPanel: () => void };

/** Returns screens and actions for the palette: the screens of the user's menu, and the commands of the shell. */
export function useShellCommands({ permissions, onHelp, onDebugPanel }: ShellActions): PaletteEntry[] {
  const navigate = useNavigate();
  const isDemo = useIsDemo();
  const { setColorScheme } = useMantineColorScheme();
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

  return [
    ...[...menuOf(permissions, 'work', isDemo), ...menuOf(permissions, 'settings', isDemo)].map(
      ({ label, to }) => screen(label, to),
    ),
    ...(permissions.isAdmin
      ? [screen(texts.permissions, paths.permissions)]
      : [screen(texts.profile, paths.generalSettings)]),
    screen(texts.account, paths.account),
    ...(permissions.page('emailTemplates') && permissions.feature('manageTemplates')
      ? [opens(texts.newTemplate, paths.newTemplate)]
      : []),
    ...(permissions.page('dataEntry') && permissions.feature('viewReports')
      ? [opens(texts.statement, paths.statement)]
      : []),
    action(texts.shortcuts, onHelp),
    ...(permissions.isAdmin ? [action(texts.debugPanel, onDebugPanel)] : []),
    action(texts.light, () => setColorScheme('light')),
    action(texts.dark, () => setColorScheme('dark')),
    action(texts.system, () => setColorScheme('auto')),
    action(shellTexts.signOut, signOut),
  ];
}
