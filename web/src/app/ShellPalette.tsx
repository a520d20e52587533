import { useMantineColorScheme } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useIsDemo } from '../features/demo/demo.queries.ts';
import type { PaletteEntry } from '../features/palette/palette-entries.ts';
import Palette from '../features/palette/Palette.tsx';
import { paths } from '../platform/paths.ts';
import { usePermissions } from '../platform/permissions.ts';
import { signOut } from '../platform/session.ts';
import { texts } from '../texts/app.ts';
import { texts as paletteTexts } from '../texts/palette.ts';
import { menuOf } from './menu.ts';

/** The palette with the commands of the shell, which are loaded with it. */
export default function ShellPalette({
  onClose,
  ...actions
}: ShellActions & { onClose: () => void }): ReactNode {
  return <Palette commands={useShellCommands(actions)} onClose={onClose} />;
}

type ShellActions = { onHelp: () => void; onDebugPanel: () => void };

/** Returns screens and actions for the palette: the screens of the user's menu, and the commands of the shell. */
function useShellCommands({ onHelp, onDebugPanel }: ShellActions): PaletteEntry[] {
  const permissions = usePermissions();
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
      ? [screen(paletteTexts.permissions, paths.permissions)]
      : [screen(paletteTexts.profile, paths.generalSettings)]),
    screen(paletteTexts.account, paths.account),
    ...(permissions.page('emailTemplates') && permissions.feature('manageTemplates')
      ? [opens(paletteTexts.newTemplate, paths.newTemplate)]
      : []),
    ...(permissions.page('dataEntry') && permissions.feature('viewReports')
      ? [opens(paletteTexts.statement, paths.statement)]
      : []),
    action(paletteTexts.shortcuts, onHelp),
    ...(permissions.isAdmin ? [action(texts.debugPanel, onDebugPanel)] : []),
    action(paletteTexts.light, () => setColorScheme('light')),
    action(paletteTexts.dark, () => setColorScheme('dark')),
    action(paletteTexts.system, () => setColorScheme('auto')),
    action(texts.signOut, signOut),
  ];
}
