import type { Sent } from '@forecourt/contract/api';
import type { Status } from '@forecourt/contract/statuses';
import { texts } from '../../texts/statuses.ts';
import type { ComparedField } from '../../ui/foreign-changes.ts';
import type { FieldErrors } from '../../ui/use-form.ts';

export type StatusValues = {
  name: string;
  /** As it is typed: with or without `#`, in any case. */
  color: string;
  active: boolean;
  isDefault: boolean;
  isClosed: boolean;
};

/** The colours to choose from; any other can be typed. */
export const palette = Object.entries(texts.paletteNames).map(([color, name]) => ({ color, name }));

/** What a status looks like in the form; a new one is active and has the first colour. */
export const valuesOf = (status: Status | undefined): StatusValues => ({
  name: status?.name ?? '',
  color: status?.color ?? palette[0]?.color ?? '',
  active: status?.active ?? true,
  isDefault: status?.isDefault ?? false,
  isClosed: status?.isClosed ?? false,
});

/** A typed colour as `#rrggbb`; undefined while it is none. Takes `2F6FB2` and `#26b` as well. */
export function colorOf(typed: string): string | undefined {
  const digits = typed.trim().replace(/^#/, '').toLowerCase();
  if (/^[\da-f]{6}$/.test(digits)) return `#${digits}`;
  return /^[\da-f]{3}$/.test(digits) ? `#${digits.replaceAll(/./g, '$&$&')}` : undefined;
}

/**
 * What is sent for it. `version` is that of the status which the form was filled from. Who is no administrator says
 * nothing of what only these may change.
 */
export const inputOf = (
  { name, color, active, isDefault, isClosed }: StatusValues,
  version: number | undefined,
  isAdmin: boolean,
): Sent<'PUT /status-configurations/:id', 'body'> => ({
  name,
  color: colorOf(color) ?? color,
  active,
  ...(isAdmin && { isDefault, isClosed }),
  ...(version === undefined ? {} : { version }),
});

/** What the form itself can tell is wrong. */
export const statusErrors = ({ name, color }: StatusValues): FieldErrors => ({
  ...(name.trim() === '' ? { name: texts.nameRequired } : {}),
  ...(colorOf(color) === undefined ? { color: texts.hexInvalid } : {}),
});

const yesNo = (is: boolean): string => (is ? texts.yes : texts.no);

/** The form's fields as a conflict speaks of them. */
export const comparedFields: readonly ComparedField<StatusValues>[] = [
  { field: 'name', label: texts.name, words: ({ name }) => name },
  { field: 'color', label: texts.color, words: ({ color }) => color },
  { field: 'active', label: texts.status, words: ({ active }) => (active ? texts.active : texts.inactive) },
  { field: 'isDefault', label: texts.default, words: ({ isDefault }) => yesNo(isDefault) },
  { field: 'isClosed', label: texts.closed, words: ({ isClosed }) => yesNo(isClosed) },
];
