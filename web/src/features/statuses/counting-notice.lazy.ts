import { lazyPart } from '../../ui/lazy-part.ts';

export const CountingNotice = lazyPart(() => import('./CountingNotice.tsx'));
