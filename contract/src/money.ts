import { z } from 'zod';

/** AUD with at most 2 decimals, from 0 to what numeric(12,2) holds. */
export const Money = z
  .number()
  .min(0, 'Please enter a valid number')
  .max(9_999_999_999.99, 'Please enter a valid number')
  .refine((amount) => Number(amount.toFixed(2)) === amount, 'Money has at most 2 decimals');
