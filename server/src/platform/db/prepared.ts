import { isExpression, type Compilable, type CompiledQuery } from 'kysely';
import type { Db, Tx } from './database.ts';

/** Maximum cached texts, as many as a connection prepares; further ones are compiled each time. */
const MAX_TEXTS = 400;

/** A placeholder of a value. Kysely passes unknown objects through. */
class Placeholder {
  readonly index: number;
  constructor(index: number) {
    this.index = index;
  }
  /** Comparisons treat a placeholder as greater than zero. */
  valueOf(): number {
    return 1;
  }
}

/** Such a value often removes a condition, so it is part of the cache key. */
const determinesText = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === 0 ||
  value === '' ||
  typeof value === 'boolean' ||
  (Array.isArray(value) && value.length === 0);

const isGroup = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/**
 * Splits values, including nested ones, into the part that determines the text and the parameters in order. Returns
 * null if one of them is an SQL expression.
 */
function splitValues(values: object): { text: string; parameters: unknown[] } | null {
  const parameters: unknown[] = [];
  let text = '';
  let hasExpression = false;
  const visit = (group: object): void => {
    for (const [name, value] of Object.entries(group)) {
      text += `${name}:`;
      if (isExpression(value)) hasExpression = true;
      else if (isGroup(value)) visit(value);
      else if (determinesText(value)) text += `${JSON.stringify(value)},`;
      else parameters.push(value);
    }
    text += ';';
  };
  visit(values);
  return hasExpression ? null : { text, parameters };
}

function withPlaceholders<V extends object>(values: V): V {
  let index = 0;
  const put = (value: unknown): unknown => {
    if (isGroup(value)) {
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, put(one)]));
    }
    if (determinesText(value)) return value;
    const place = new Placeholder(index++);
    return Array.isArray(value) ? [place] : place;
  };
  return put(values) as V;
}

/**
 * Returns a statement that is compiled once per form: for a large statement Kysely needs as long as PostgreSQL needs to
 * run it. `build` must use values as parameters only; it may test whether one is null, undefined, empty, zero, true or
 * false. Other inputs of the text, such as the name of a column, belong in `form`. If a value is an SQL expression, the
 * statement is compiled each time.
 */
export function prepared<V extends object, R, F = undefined>(
  build: (db: Db | Tx, values: V, form: F) => Compilable<R>,
): (db: Db | Tx, values: V, ...form: F extends undefined ? [] : [F]) => Promise<R[]> {
  const texts = new Map<string, CompiledQuery<R>>();
  return async (db, values, ...[form]) => {
    const split = splitValues(values);
    if (!split) return (await db.executeQuery<R>(build(db, values, form as F).compile())).rows;
    const { text, parameters: sent } = split;
    const key = `${JSON.stringify(form)} ${text}`;
    let compiled = texts.get(key);
    if (!compiled) {
      compiled = build(db, withPlaceholders(values), form as F).compile();
      if (texts.size < MAX_TEXTS) texts.set(key, compiled);
    }
    const parameters = compiled.parameters.map((value) => {
      const placeholder: unknown = Array.isArray(value) ? value[0] : value;
      return placeholder instanceof Placeholder ? sent[placeholder.index] : value;
    });
    return (await db.executeQuery<R>({ ...compiled, parameters })).rows;
  };
}
