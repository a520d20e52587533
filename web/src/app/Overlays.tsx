import { lazy, Suspense, type ReactNode } from 'react';
import { useMay } from '../platform/permissions.ts';
import { useShellCommands } from './shell-commands.ts';

const Palette = lazy(() => import('../features/palette/Palette.tsx'));
const ShortcutsHelp = lazy(() => import('../features/palette/ShortcutsHelp.tsx'));

export type Overlay = 'palette' | 'help';

type OverlaysProps = {
  open: Overlay | null;
  setOpen: (overlay: Overlay | null) => void;
  onDebugPanel: () => void;
};

/** What the shell lays over a screen: the palette, or the list of keys. */
export function Overlays({ open, setOpen, onDebugPanel }: OverlaysProps): ReactNode {
  const may = useMay();
  const commands = useShellCommands({ may, onHelp: () => setOpen('help'), onDebugPanel });
  return (
    <Suspense>
      {open === 'palette' && <Palette commands={commands} onClose={() => setOpen(null)} />}
      {open === 'help' && <ShortcutsHelp onClose={() => setOpen(null)} />}
    </Suspense>
  );
}
