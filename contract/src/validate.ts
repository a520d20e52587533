import type { z } from 'zod';

export type Schema = z.ZodType;

/** A validation issue, such as `contacts.0.email: Must be an email address`. */
export type Issue = { path: PropertyKey[]; message: string; code?: string; keys?: string[] };

/** Validation stops after this many issues, so that neither time nor response grows with the number of errors. */
export const MAX_ISSUES = 100;

type RawIssue = z.core.$ZodRawIssue;

const isMissing = ({ code, input }: RawIssue): boolean => code === 'invalid_type' && input === undefined;

/** `customerName` becomes `Customer name`, and `dealershipId` `Dealership`. */
const labelOf = (key: PropertyKey | undefined): string => {
  if (typeof key !== 'string') return 'This';
  const words = key.replace(/(?<=.)Id$/, '').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const TYPES: Record<string, string> = {
  string: 'Must be text',
  number: 'Must be a number',
  int: 'Must be a whole number',
  boolean: 'Must be true or false',
  array: 'Must be a list',
  object: 'Must be an object',
  null: 'Must be empty',
};

const FORMATS: Record<string, string> = {
  uuid: 'Must be an id',
  email: 'Must be an email address',
  datetime: 'Must be a time in UTC such as 2026-11-20T09:30:00.000Z',
  date: 'Must be a date such as 2026-11-20',
};

const sizeMessage = (limit: string, size: number | bigint, origin: string): string =>
  origin === 'array'
    ? `Must have ${limit} ${size} ${Number(size) === 1 ? 'entry' : 'entries'}`
    : `Must be ${limit} ${size}${origin === 'string' ? ' characters' : ''}`;

const choiceMessage = (values: readonly unknown[]): string =>
  `Must be ${values.length > 1 ? 'one of ' : ''}${values.join(', ')}`;

/** Returns the default message of a rule that has no message of its own. */
function messageOf(issue: RawIssue): string {
  if (isMissing(issue)) return `${labelOf(issue.path?.at(-1))} is required`;
  switch (issue.code) {
    case 'invalid_type':
      return TYPES[issue.expected] ?? 'Has the wrong type';
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'Does not have the right form';
    case 'invalid_value':
      return choiceMessage(issue.values);
    case 'too_small':
      return sizeMessage('at least', issue.minimum, issue.origin);
    case 'too_big':
      return sizeMessage('at most', issue.maximum, issue.origin);
    case 'not_multiple_of':
      return `Must be a multiple of ${issue.divisor}`;
    case 'invalid_union': {
      const [first] = issue.errors[0] ?? [];
      if (first?.path.length === 0) return first.message;
      if (Array.isArray(issue['options'])) return choiceMessage(issue['options']);
      break;
    }
    case 'invalid_key':
      return 'Unknown field';
    case 'custom':
    case 'invalid_element':
    case 'unrecognized_keys':
      break;
  }
  return 'Does not have the right form';
}

/** Returns the issues to report. For a union, these are the issues of the variant that the value matches best. */
function withinVariant(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const variants = issue.errors
    .map((errors) => errors.flatMap(withinVariant))
    .filter((errors) => errors.length > 0 && errors.every((error) => isInside(error)));
  const [closest] = variants.toSorted((one, other) => distanceOf(one) - distanceOf(other));
  return closest?.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })) ?? [issue];
}

const isInside = ({ path, code }: z.core.$ZodIssue): boolean =>
  path.length > 0 || code === 'unrecognized_keys';

const OTHER_KIND = 100;

const distanceOf = (issues: readonly z.core.$ZodIssue[]): number =>
  issues.reduce(
    (sum, { code }) => sum + (code === 'invalid_value' || code === 'unrecognized_keys' ? OTHER_KIND : 1),
    0,
  );

/** Returns a copy of the value with an empty text at each path. Each list or object is copied at most once. */
function withEmptyTexts(value: unknown, paths: readonly (readonly PropertyKey[])[]): unknown {
  type Parent = Record<PropertyKey, unknown>;
  const copies = new Set<unknown>();
  const copyOf = (original: unknown): Parent => {
    if (copies.has(original)) return original as Parent;
    const copy = Array.isArray(original) ? [...(original as unknown[])] : { ...(original as object) };
    copies.add(copy);
    return copy as Parent;
  };
  const whole: Parent = { value };
  for (const path of paths) {
    let parent = whole;
    let last: PropertyKey = 'value';
    for (const key of path) {
      const child = copyOf(parent[last]);
      parent[last] = child;
      parent = child;
      last = key;
    }
    parent[last] = '';
  }
  return whole['value'];
}

const parse = (schema: Schema, value: unknown) =>
  schema.safeParse(value, { error: messageOf, reportInput: true });

/** Replaces the message for a missing field by that for an empty one, such as 'Dealership name is required'. */
function withRequiredMessages(schema: Schema, value: unknown, issues: readonly z.core.$ZodIssue[]): Issue[] {
  const missing = issues.filter((issue) => issue.code === 'invalid_type' && issue.input === undefined);
  if (missing.length === 0) return [...issues];
  const filled = withEmptyTexts(
    value,
    missing.map(({ path }) => path),
  );
  const sentences = new Map(
    parse(schema, filled)
      .error?.issues.filter(({ message }) => message.endsWith(' is required'))
      .map(({ path, message }) => [path.join('.'), message]),
  );
  return issues.map((issue) => ({ ...issue, message: sentences.get(issue.path.join('.')) ?? issue.message }));
}

/** Returns the parsed value, or the issues with messages for display. */
export function validate<S extends Schema>(
  schema: S,
  value: unknown,
): { data: z.output<S>; issues?: undefined } | { data?: undefined; issues: Issue[] } {
  const result = parse(schema, value);
  return result.success
    ? { data: result.data as z.output<S> }
    : {
        issues: withRequiredMessages(
          schema,
          value,
          result.error.issues.slice(0, MAX_ISSUES).flatMap(withinVariant),
        ),
      };
}

/**
 * Returns the first message of each field by its path, joined with dots. Unknown fields are included
 * (docs/product/api.md, Unknown and computed fields).
 * @param most maximum number of invalid fields
 */
export function errorsByField(issues: readonly Issue[], most = MAX_ISSUES): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const issue of issues.slice(0, most)) {
    const path = issue.path.join('.');
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys?.slice(0, MAX_ISSUES) ?? [])
        errors[path ? `${path}.${key}` : key] = 'Unknown field';
    } else errors[path || 'body'] ??= issue.message;
  }
  return Object.fromEntries(Object.entries(errors).slice(0, most));
}
