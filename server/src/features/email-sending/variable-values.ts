import type { TemplateVariable } from '@forecourt/contract/email-templates';
import { invalid } from '../../platform/http/errors.ts';
import { linkedValue, type Subjects, type ValueTable } from './variables.ts';

/**
 * Resolves every declared variable: the value in the request, else the linked value, else the default. A blank value in
 * the request counts as missing (docs/product/email.md, Variables). Throws a 400 if the request has a value of an
 * undeclared variable.
 */
export function resolveVariables(
  variables: TemplateVariable[],
  inputValues: Record<string, string>,
  subjects: Subjects,
) {
  const declared = new Set(variables.map(({ key }) => key));
  const unknown = Object.keys(inputValues).filter((key) => !declared.has(key));
  if (unknown.length > 0) {
    throw invalid(
      unknown.map((key) => ({ path: ['variables', key], message: 'This template has no such variable' })),
    );
  }
  /** The text of every declared key; may be empty. */
  const values = new Map<string, string>();
  /** The values that are tables, for places where a table is possible. */
  const tables = new Map<string, ValueTable>();
  for (const { key, linkedData, defaultValue } of variables) {
    const typed = Object.hasOwn(inputValues, key) ? inputValues[key]!.trim() : '';
    const linked = linkedData ? linkedValue(linkedData) : undefined;
    values.set(key, typed || linked?.text(subjects) || defaultValue);
    const table = typed ? undefined : linked?.table?.(subjects);
    if (table) tables.set(key, table);
  }
  return { values, tables, missing: variables.filter(({ key, required }) => required && !values.get(key)) };
}
