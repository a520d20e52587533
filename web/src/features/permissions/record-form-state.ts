import type { useForm } from '../../ui/use-form.ts';
import type { RecordValues } from './record-values.ts';

/** The form of one person's record, as its parts get it. */
export type RecordFormState = Pick<
  ReturnType<typeof useForm<RecordValues>>,
  'values' | 'errors' | 'set' | 'check' | 'text'
>;
