import { Notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import '../ui/styles-more.ts';

/** Container of the toasts of ui/toasts.ts. Earlier toasts are queued until it is mounted. */
export default function Toasts(): ReactNode {
  return <Notifications position="bottom-right" limit={4} />;
}
