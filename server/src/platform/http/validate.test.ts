import { api } from '@forecourt/contract/api';
import type { RouteContract } from '@forecourt/contract/route';
import { validate } from '@forecourt/contract/validate';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ABSENT_ID } from '../../../test/builders.ts';

const messagesOf = (schema: z.ZodType, value: unknown) =>
  Object.fromEntries(
    (validate(schema, value).issues ?? []).map(({ path, message }) => [path.join('.'), message]),
  );

describe('an omitted field', () => {
  test('an omitted field is rejected like an empty one, with the same message', () => {
    expect(messagesOf(api['POST /dealerships'].body, { contacts: [{}] })).toMatchObject({
      name: 'Dealership name is required',
      address: 'Address is required',
      defaultEmailTemplateId: 'Default email template is required',
      'contacts.0.name': 'Contact name is required',
      'contacts.0.email': 'Email is required',
      'contacts.0.templateName': 'Template name is required',
    });
  });

  test('an omitted field is named by its label when the contract has no message', () => {
    expect(messagesOf(z.object({ saleAmount: z.number() }), {})).toEqual({
      saleAmount: 'Sale amount is required',
    });
  });
});

test.each([
  [z.string(), 7, 'Must be text'],
  [z.int(), 1.5, 'Must be a whole number'],
  [z.boolean(), 'true', 'Must be true or false'],
  [z.array(z.string()), {}, 'Must be a list'],
  [z.enum(['a', 'b']), 'c', 'Must be one of a, b'],
  [z.literal('a'), 'c', 'Must be a'],
  [z.string().max(2), 'abc', 'Must be at most 2 characters'],
  [z.number().min(2), 1, 'Must be at least 2'],
  [z.array(z.int()).min(1), [], 'Must have at least 1 entry'],
  [z.array(z.int()).max(2), [1, 2, 3], 'Must have at most 2 entries'],
  [z.uuid(), 'x', 'Must be an id'],
  [z.string('My words'), 7, 'My words'],
] as const)('a body (%#) that breaks %s is rejected with our message', (schema, value, message) => {
  expect(messagesOf(schema, value)).toEqual({ '': message });
});

describe('an error within a variant', () => {
  const view = (condition: object) => ({
    name: 'Mine',
    shared: false,
    filter: { match: 'all', conditions: [condition] },
  });
  const shape = z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('circle'), radius: z.number() }),
    z.strictObject({ kind: z.literal('square'), side: z.number() }),
  ]);
  const plain = z.union([
    z.strictObject({ field: z.enum(['a', 'b']), value: z.number() }),
    z.strictObject({ field: z.literal('c'), value: z.array(z.string()).min(1) }),
  ]);

  test.each([
    [z.array(shape), [{ kind: 'line' }], { '0.kind': 'Must be one of circle, square' }],
    [z.array(shape), [{ kind: 'circle', radius: 'x' }], { '0.radius': 'Must be a number' }],
    [z.array(plain), [{ field: 'b', value: 'x' }], { '0.value': 'Must be a number' }],
    [z.array(plain), [{ field: 'c', value: [] }], { '0.value': 'Must have at least 1 entry' }],
    [z.array(plain), ['x'], { 0: 'Must be an object' }],
    [z.record(z.string().regex(/^a/), z.int()), { b: 1 }, { b: 'Unknown field' }],
  ])('%#: is named by its own path', (schema, value, errors) => {
    expect(messagesOf(schema, value)).toMatchObject(errors);
  });

  test.each([
    [{ field: 'saleAmount', operator: 'is', value: 'x' }, 'value'],
    [{ field: 'status', operator: 'isAnyOf', value: 'x' }, 'value'],
    [{ field: 'customerName', operator: 'contains', value: 7 }, 'value'],
    [{ field: 'nothing', operator: 'is', value: 'x' }, 'field'],
    [{ field: 'customerName', operator: 'nothing', value: 'x' }, 'operator'],
  ])('an error within a variant of a filter: %j', (condition, named) => {
    expect(Object.keys(messagesOf(api['POST /deal-views'].body, view(condition)))).toContain(
      `filter.conditions.0.${named}`,
    );
  });
});

test("no route returns the validator's own message", () => {
  const foreign = /received|expected|Invalid|Too (big|small)|Unrecognized/;
  let count = 0;
  for (const [key, { body, query }] of Object.entries(api as Record<string, RouteContract>)) {
    for (const schema of [body, query]) {
      if (!schema) continue;
      const wrong = Object.fromEntries(
        Object.keys((schema as z.ZodObject).shape ?? {}).map((field) => [field, { $ne: '' }]),
      );
      for (const value of [undefined, null, [], 'x', {}, wrong]) {
        for (const { message, code } of validate(schema, value).issues ?? []) {
          count += 1;
          if (code !== 'unrecognized_keys') expect(message, key).not.toMatch(foreign);
        }
      }
    }
  }
  expect(count).toBeGreaterThan(300);
});

describe('dates of the contract', () => {
  type Def = {
    type: string;
    shape?: Record<string, z.ZodType>;
    options?: z.ZodType[];
  } & Partial<Record<'element' | 'innerType' | 'in' | 'valueType', z.ZodType>>;
  /** Returns the schemas of single values in a schema, by path. */
  function leaves(schema: z.ZodType, path: string): [string, z.ZodType][] {
    const { shape = {}, options = [], ...def } = schema._zod.def as unknown as Def;
    const inner = [def.element, def.innerType, def.in, def.valueType, ...options].filter(
      (one) => one !== undefined,
    );
    const fields = Object.entries(shape).flatMap(([name, field]) => leaves(field, `${path}.${name}`));
    const parts = inner.flatMap((part) => leaves(part, path));
    return fields.length + parts.length > 0 ? [...fields, ...parts] : [[path, schema]];
  }
  const all = Object.entries(api as Record<string, RouteContract>).flatMap(([key, { query, body }]) => [
    ...(query ? leaves(query, `${key} query`) : []),
    ...(body ? leaves(body, `${key} body`) : []),
  ]);
  test.each([
    ['2026-02-20', '2026-02-30'],
    ['2026-02-20T09:30', '2026-02-30T09:30'],
    ['2026-02-20T09:30:00.000Z', '2026-02-30T09:30:00.000Z'],
    ['2026-02', '2026-13'],
  ])('dates of the contract accept %s and reject %s', (right, wrong) => {
    const takes = (schema: z.ZodType, value: string) => schema.safeParse(value).success;
    const dates = all.filter(([, schema]) => takes(schema, right) && !takes(schema, 'no date'));
    expect(dates).not.toEqual([]);
    expect(dates.filter(([, schema]) => takes(schema, wrong)).map(([path]) => path)).toEqual([]);
  });
});

test('stored and searched texts have ordinary spaces and no invisible marks', () => {
  const text = ' Ann\u00A0\u202EEx\u00ADample\u2069\u200B';
  const list = validate(api['GET /deals'].query, { search: text });
  expect(list.data).toMatchObject({ search: 'Ann Example' });
  const created = validate(api['POST /deals'].body, {
    customerName: text,
    dealershipId: ABSENT_ID,
    notes: `${text}\n`,
  });
  expect(created.data).toMatchObject({ customerName: 'Ann Example', notes: ' Ann Example' });
});

test('a required text of characters that show nothing is refused like an empty one', () => {
  const refusalOf = (schema: z.ZodType, field: string, text: string) =>
    messagesOf(schema, { [field]: text, contacts: [{ [field]: text }] });
  const texts = Object.entries(api as Record<string, RouteContract>).flatMap(([key, { body }]) =>
    Object.keys((body as z.ZodObject | undefined)?.shape ?? {})
      .filter((field) => !/password$/i.test(field))
      .map((field) => [`${key} ${field}`, body!, field] as const),
  );
  const required = texts.filter(
    ([, body, field]) =>
      refusalOf(body, field, '')[field]?.endsWith('required') && !refusalOf(body, field, 'x')[field],
  );
  expect(required.length).toBeGreaterThan(15);
  for (const text of [
    '  ',
    '\u00AD',
    '\u034F',
    '\u180E',
    '\u200D',
    '\u200E',
    '\u2800',
    '\u3164',
    '\uFE0F',
    '\u{E0020}',
  ])
    for (const [name, body, field] of required)
      expect(refusalOf(body, field, text), name).toEqual(refusalOf(body, field, ''));
});

test('a share without a level has the lowest one', () => {
  const userId = '01930000-0000-7000-8000-00000000ffff';
  const bodies = Object.entries(api as Record<string, RouteContract>).flatMap(([key, { body }]) => {
    const shape = (body as z.ZodObject | undefined)?.shape;
    return shape?.['sharedWith'] ? [[key, shape['sharedWith']] as const] : [];
  });
  expect(bodies.length).toBeGreaterThan(8);
  for (const [key, schema] of bodies) {
    const level = key.includes('/deals') ? 'view' : 'read';
    expect(validate(schema as z.ZodType, [{ userId }]), key).toEqual({
      data: [{ userId, permissions: level }],
    });
  }
});
