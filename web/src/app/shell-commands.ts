import { useMantineColorScheme } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useIsDemo } from '../features/demo/demo.queries.ts';
import type { PaletteEntry } from '../features/palette/palette-entries.ts';
import type { May } from '../platform/may.ts';
import { paths } from '../platform/paths.ts';
import { signOut } from '../platform/session.ts';
import { texts as shellTexts } from '../texts/app.ts';
import { texts } from '../texts/palette.ts';
import { menuOf } from './menu.ts';

type Doing = { may: May; onHelp: () => void; onDebugPanel: () => void };

/** Screens and actions for the palette: the screens of this person's menu, and what the shell can do. */
export function useShellCommands({ may, onHelp, onDebugPanel }: Doing): PaletteEntry[] {
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
    ...[...menuOf(may, 'work', isDemo), ...menuOf(may, 'settings', isDemo)].map(({ label, to }) =>
      screen(label, to),
    ),
    ...(may.admin
      ? [screen(texts.permissions, paths.permissions)]
      : [screen(texts.profile, paths.generalSettings)]),
    screen(texts.account, paths.account),
    ...(may.page('emailTemplates') && may.feature('manageTemplates')
      ? [opens(texts.newTemplate, paths.newTemplate)]
      : []),
    ...(may.page('dataEntry') && may.feature('viewReports') ? [opens(texts.statement, paths.statement)] : []),
    action(texts.shortcuts, onHelp),
    ...(may.admin ? [action(texts.debugPanel, onDebugPanel)] : []),
    action(texts.light, () => setColorScheme('light')),
    action(texts.dark, () => setColorScheme('dark')),
    action(texts.system, () => setColorScheme('auto')),
    action(shellTexts.signOut, signOut),
  ];
}
