import type { Compilable, CompiledQuery } from 'kysely';
import type { Db, Tx } from './database.ts';

/** As many texts as a connection keeps prepared: past that, rare ones are put together each time. */
const MAX_TEXTS = 400;

/** Where a value goes. Kysely passes on what it does not know. */
class Place {
  readonly index: number;
  constructor(index: number) {
    this.index = index;
  }
  /** For who asks whether a number is more than zero: it is not zero. */
  valueOf(): number {
    return 1;
  }
}

/** Without a value there is often a condition less: such a value belongs to the text. */
const isPartOfText = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === 0 ||
  value === '' ||
  typeof value === 'boolean' ||
  (Array.isArray(value) && value.length === 0);

const isGroup = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Takes values apart, through nested objects: what the text depends on, and what is sent beside it, in its order. */
function takeApart(values: object): { text: string; sent: unknown[] } {
  const sent: unknown[] = [];
  let text = '';
  const take = (group: object): void => {
    for (const [name, value] of Object.entries(group)) {
      text += `${name}:`;
      if (isGroup(value)) take(value);
      else if (isPartOfText(value)) text += `${JSON.stringify(value)},`;
      else sent.push(value);
    }
    text += ';';
  };
  take(values);
  return { text, sent };
}

/** The same values with places in them. */
function withPlaces<V extends object>(values: V): V {
  let index = 0;
  const put = (value: unknown): unknown => {
    if (isGroup(value)) {
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, put(one)]));
    }
    if (isPartOfText(value)) return value;
    const place = new Place(index++);
    return Array.isArray(value) ? [place] : place;
  };
  return put(values) as V;
}

/**
 * A statement whose text is put together once for each form that it has: for a large one Kysely takes as long as
 * PostgreSQL takes to run it. `build` must use values as parameters only; it may ask whether one is null, undefined,
 * empty, zero, true or false. What else the text depends on, such as a column's name, is in `form`.
 */
export function prepared<V extends object, R, F = undefined>(
  build: (db: Db | Tx, values: V, form: F) => Compilable<R>,
): (db: Db | Tx, values: V, ...form: F extends undefined ? [] : [F]) => Promise<R[]> {
  const texts = new Map<string, CompiledQuery<R>>();
  return async (db, values, ...[form]) => {
    const { text, sent } = takeApart(values);
    const key = `${JSON.stringify(form)} ${text}`;
    let compiled = texts.get(key);
    if (!compiled) {
      compiled = build(db, withPlaces(values), form as F).compile();
      if (texts.size < MAX_TEXTS) texts.set(key, compiled);
    }
    const parameters = compiled.parameters.map((value) => {
      const place: unknown = Array.isArray(value) ? value[0] : value;
      return place instanceof Place ? sent[place.index] : value;
    });
    return (await db.executeQuery<R>({ ...compiled, parameters })).rows;
  };
}
