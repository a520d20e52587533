import { Notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import '../ui/styles-more.ts';

/** Where the toasts of ui/toasts.ts are shown. What was said before this is there waits for it. */
export default function Toasts(): ReactNode {
  return <Notifications position="bottom-right" limit={4} />;
}
