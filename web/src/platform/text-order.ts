import { createLazyValue } from './lazy-value.ts';

/** Compares texts in lists: 'D-9' before 'D-10' and 'éclair' next to 'Eclair'. */
export const textOrder = createLazyValue(
  () => new Intl.Collator('en-AU', { numeric: true, sensitivity: 'base' }).compare,
);
