import { useMediaQuery } from '@mantine/hooks';
import { Notifications } from '@mantine/notifications';
import { useEffect, type ReactNode } from 'react';
import { keepFocus } from '../ui/keep-focus.ts';
import '../ui/styles-more.ts';

/**
 * Container of the toasts of ui/toasts.ts. Earlier toasts are queued until it is mounted. Being mounted for good after
 * the first screen, it also starts the rule for the focus of pressed buttons.
 */
export default function Toasts(): ReactNode {
  useEffect(keepFocus, []);
  // At the lower edge of a phone are the buttons of dialogs and of selected rows.
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  return <Notifications position={isPhone ? 'top-center' : 'bottom-right'} limit={4} />;
}
