import { useMediaQuery } from '@mantine/hooks';
import { Notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import '../ui/styles-more.ts';

/** Container of the toasts of ui/toasts.ts. Earlier toasts are queued until it is mounted. */
export default function Toasts(): ReactNode {
  // At the lower edge of a phone are the buttons of dialogs and of selected rows.
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  return <Notifications position={isPhone ? 'top-center' : 'bottom-right'} limit={4} />;
}
