import { lazyPart } from '../../ui/lazy-part.ts';

export const MailboxCard = lazyPart(() => import('./MailboxCard.tsx'));
