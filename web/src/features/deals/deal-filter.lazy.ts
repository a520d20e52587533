import { lazyPart } from '../../ui/lazy-part.ts';

/** The filter of deals on other screens. */
export const DealFilterField = lazyPart(() => import('./toolbar/DealFilterField.tsx'));
