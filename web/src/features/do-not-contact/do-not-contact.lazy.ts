import { lazyPart } from '../../ui/lazy-part.ts';

export const DoNotContactForm = lazyPart(() => import('./DoNotContactForm.tsx'));
