import { z } from 'zod';
import { MAX_MONEY } from './money-limits.ts';

const NOT_VALID = 'Please enter a valid number';

/** AUD with at most 2 decimals, from 0 to the maximum of numeric(12,2). */
export const Money = z
  .number({ error: ({ input }) => (input === undefined ? undefined : NOT_VALID) })
  .min(0, NOT_VALID)
  .max(MAX_MONEY, NOT_VALID)
  .refine((amount) => Number(amount.toFixed(2)) === amount, NOT_VALID);
