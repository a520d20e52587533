import { z } from 'zod';
import { MAX_MONEY } from './money-limits.ts';

const NOT_VALID = 'Please enter a valid number';

/** AUD with at most 2 decimals, from 0 to the maximum of numeric(12,2). */
export const Money = z
  // What a form could not read as a number is NaN; JSON has none.
  .number({ error: ({ input }) => (Number.isNaN(input) ? NOT_VALID : undefined) })
  .min(0, NOT_VALID)
  .max(MAX_MONEY, NOT_VALID)
  .refine((amount) => Number(amount.toFixed(2)) === amount, 'Money has at most 2 decimals');
