import type { useForm } from '../../ui/use-form.ts';
import type { RecordValues } from './record-values.ts';

/** The form state of a record, as its parts use it. */
export type RecordFormState = Pick<
  ReturnType<typeof useForm<RecordValues>>,
  'values' | 'errors' | 'set' | 'check' | 'text'
>;
