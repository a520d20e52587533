import { lazyPart } from '../../ui/lazy-part.ts';

/** The notice that asks administrators which statuses count for commission. */
export const CountingNotice = lazyPart(() => import('./CountingNotice.tsx'));
