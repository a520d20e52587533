import { sql, type RawBuilder, type SqlBool } from 'kysely';

/** Facts of a viewer in a statement: values, which become parameters, or columns. */
export type SqlFacts<V> = { readonly [fact in keyof V]: V[fact] | RawBuilder<unknown> };

/**
 * SQL expressions for the fields of a record. `timeZone` is the time zone of its business days; `isShared` is whether the
 * viewer has a share of any level, where their shares are known before the statement.
 */
export type SqlFields<R> = { readonly [field in keyof R]: RawBuilder<unknown> } & {
  readonly timeZone?: string;
  readonly isShared?: RawBuilder<SqlBool> | undefined;
};

/**
 * A condition on a viewer and a record with the same result in TypeScript and PostgreSQL. Rules are composed of the
 * conditions below, so that no rule is written a second time in SQL.
 */
export type Condition<V, R> = {
  matches: (viewer: V, record: R) => boolean;
  /** Null if every record meets the condition. */
  sql: (viewer: SqlFacts<V>, record: SqlFields<R>) => RawBuilder<SqlBool> | null;
};

const isColumn = (fact: unknown): fact is RawBuilder<unknown> =>
  typeof fact === 'object' && fact !== null && 'toOperationNode' in fact;

/** Returns the condition as SQL for the rows of a statement. */
export const where = <V, R>(
  condition: Condition<V, R>,
  viewer: SqlFacts<NoInfer<V>>,
  record: SqlFields<NoInfer<R>>,
): RawBuilder<SqlBool> => condition.sql(viewer, record) ?? sql<SqlBool>`true`;

export const allOf = <V, R>(...conditions: Condition<V, R>[]): Condition<V, R> => ({
  matches: (viewer, record) => conditions.every(({ matches }) => matches(viewer, record)),
  sql(viewer, record) {
    const parts = conditions.map((one) => one.sql(viewer, record)).filter((part) => part !== null);
    return parts.length === 0 ? null : sql<SqlBool>`(${sql.join(parts, sql` and `)})`;
  },
});

export const anyOf = <V, R>(...conditions: Condition<V, R>[]): Condition<V, R> => ({
  matches: (viewer, record) => conditions.some(({ matches }) => matches(viewer, record)),
  sql(viewer, record) {
    const parts = conditions.map((one) => one.sql(viewer, record)).filter((part) => part !== null);
    return parts.length < conditions.length ? null : sql<SqlBool>`(${sql.join(parts, sql` or `)})`;
  },
});

export const hasRole = (role: string): Condition<{ role: string }, object> => ({
  matches: (viewer) => viewer.role === role,
  sql: (viewer) => sql<SqlBool>`${viewer.role} = ${sql.lit(role)}`,
});

export const equals = <N extends string, F extends string>(
  field: F,
  fact: N,
): Condition<Record<N, string>, Record<F, string>> => ({
  matches: (viewer, record) => record[field] === viewer[fact],
  sql: (viewer, record) => sql<SqlBool>`${record[field]} = ${viewer[fact]}`,
});

/** Two fields of a record have different values. */
export const differ = <F extends string>(field: F, other: F): Condition<object, Record<F, string>> => ({
  matches: (_viewer, record) => record[field] !== record[other],
  sql: (_viewer, record) => sql<SqlBool>`${record[field]} <> ${record[other]}`,
});

/** A condition that is met if the fact is null. */
const limit = <T, N extends string, F extends string>(
  field: F,
  fact: N,
  operator: '=' | '>=',
  isMet: (value: T, limit: T) => boolean,
): Condition<Record<N, T | null>, Record<F, T>> => ({
  matches: (viewer, record) => viewer[fact] === null || isMet(record[field], viewer[fact]),
  sql(viewer, record) {
    const value = viewer[fact];
    if (value === null) return null;
    const isMet = sql<SqlBool>`${record[field]} ${sql.raw(operator)} ${value}`;
    return isColumn(value) ? sql<SqlBool>`(${value} is null or ${isMet})` : isMet;
  },
});

export const only = <N extends string, F extends string>(field: F, fact: N) =>
  limit<string, N, F>(field, fact, '=', (value, limit) => value === limit);

/** A condition that is met if the fact of the viewer is null. */
export const whenSet = <N extends string, V, R>(
  fact: N,
  condition: Condition<V, R>,
): Condition<Record<N, V | null>, R> => ({
  matches: (viewer, record) => viewer[fact] === null || condition.matches(viewer[fact], record),
  sql(viewer, record) {
    const value = viewer[fact] as V | null;
    return value === null ? null : condition.sql(value, record);
  },
});

export const atLeast = <T extends string | number, N extends string, F extends string>(field: F, fact: N) =>
  limit<T, N, F>(field, fact, '>=', (value, limit) => value >= limit);

/** Not in a list of parameters: all ids are one array parameter, so that the prepared statement has one text. */
export const notIn = <N extends string, F extends string>(
  field: F,
  fact: N,
): Condition<Record<N, readonly string[]>, Record<F, string>> => ({
  matches: (viewer, record) => !viewer[fact].includes(record[field]),
  sql(viewer, record) {
    const ids = viewer[fact];
    return !isColumn(ids) && ids.length === 0 ? null : sql<SqlBool>`${record[field]} <> all(${ids}::uuid[])`;
  },
});

type Range = { from?: string | null | undefined; to?: string | null | undefined };

/**
 * Whether a field is between two days, both included; a missing day is no limit. In TypeScript the field is a day. In
 * SQL it is a timestamp, and the days are converted instead of the column, so that an index on the column can be used.
 */
export const inDateRange = <F extends string>(field: F): Condition<Range, Record<F, string>> => ({
  matches: ({ from, to }, record) => (!from || record[field] >= from) && (!to || record[field] <= to),
  sql({ from, to }, record) {
    const { timeZone } = record;
    const bounds = [
      ...(from ? [sql`${record[field]} >= ${from}::date::timestamp at time zone ${timeZone}`] : []),
      ...(to ? [sql`${record[field]} < (${to}::date + 1)::timestamp at time zone ${timeZone}`] : []),
    ];
    return bounds.length === 0 ? null : sql<SqlBool>`${sql.join(bounds, sql` and `)}`;
  },
});

/** Whether a field was not changed after the version that the viewer saw. A field without a version has version 1. */
export const unchangedSince = <N extends string>(
  field: string,
  fact: N,
): Condition<Record<N, number>, { fieldVersions: Readonly<Record<string, number>> }> => ({
  matches: (viewer, { fieldVersions }) => (fieldVersions[field] ?? 1) <= viewer[fact],
  sql: (viewer, { fieldVersions }) =>
    sql<SqlBool>`coalesce((${fieldVersions} ->> ${sql.lit(field)})::integer, 1) <= ${viewer[fact]}`,
});
