import { useMediaQuery } from '@mantine/hooks';
import { Notifications } from '@mantine/notifications';
import { useEffect, type ReactNode } from 'react';
import '../ui/styles-more.ts';
import { watchReleases } from './newer-release.tsx';

/** Displays the toasts of ui/toasts.ts. Toasts shown before it is mounted are queued. */
export default function Toasts(): ReactNode {
  // The lower edge of a phone has the buttons of dialogs and selected rows.
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  useEffect(watchReleases, []);
  return <Notifications position={isPhone ? 'top-center' : 'bottom-right'} limit={4} />;
}
