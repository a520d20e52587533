import { validate, type Schema } from '@forecourt/contract/validate';
import type { z } from 'zod';
import { invalid } from './errors.ts';

/** Returns the parsed value. Throws INVALID_REQUEST. */
export function validated<S extends Schema>(schema: S, value: unknown): z.output<S> {
  const { data, issues } = validate(schema, value);
  if (issues) throw invalid(issues);
  return data;
}
