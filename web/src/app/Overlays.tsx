import { Suspense, type ReactNode } from 'react';
import { usePermissions } from '../platform/permissions.ts';
import { lazyPart } from '../ui/lazy-part.ts';
import { useShellCommands } from './shell-commands.ts';

const Palette = lazyPart(() => import('../features/palette/Palette.tsx'));
const ShortcutsHelp = lazyPart(() => import('../features/palette/ShortcutsHelp.tsx'));

export type Overlay = 'palette' | 'help';

type OverlaysProps = {
  open: Overlay | null;
  setOpen: (overlay: Overlay | null) => void;
  onDebugPanel: () => void;
};

/** Overlays of the shell: the palette, or the list of shortcuts. */
export function Overlays({ open, setOpen, onDebugPanel }: OverlaysProps): ReactNode {
  const permissions = usePermissions();
  const commands = useShellCommands({ permissions, onHelp: () => setOpen('help'), onDebugPanel });
  return (
    <Suspense>
      {open === 'palette' && <Palette commands={commands} onClose={() => setOpen(null)} />}
      {open === 'help' && <ShortcutsHelp onClose={() => setOpen(null)} />}
    </Suspense>
  );
}
