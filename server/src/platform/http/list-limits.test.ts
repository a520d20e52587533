import { api } from '@forecourt/contract/api';
import type { RouteContract } from '@forecourt/contract/route';
import { MAX_ISSUES, validate } from '@forecourt/contract/validate';
import { expect, test } from 'vitest';
import { z } from 'zod';

const inputs = Object.entries(api as Record<string, RouteContract>).flatMap(([key, { query, body }]) => [
  ...(query ? [[`${key} query`, query] as const] : []),
  ...(body ? [[`${key} body`, body] as const] : []),
]);

type JsonSchema = { [key: string]: unknown };

/** Returns the paths of the lists and records in a JSON schema that have no maximum. */
function unlimited(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { type, maxItems, maxProperties, additionalProperties = false } = schema as JsonSchema;
  // A loose object: what it contains is not parsed.
  const isRecord = additionalProperties !== false && Object.keys(additionalProperties as object).length > 0;
  const isUnlimited =
    (type === 'array' && maxItems === undefined) || (isRecord && maxProperties === undefined);
  return [
    ...(isUnlimited ? [path] : []),
    ...Object.entries(schema).flatMap(([key, inner]) => unlimited(inner, `${path}.${key}`)),
  ];
}

test('each list and each record of a request has a maximum', () => {
  const schemasOf = (schema: z.ZodType) =>
    (['input', 'output'] as const).map((io) => z.toJSONSchema(schema, { io, unrepresentable: 'any' }));
  expect(inputs.flatMap(([key, schema]) => schemasOf(schema).flatMap((one) => unlimited(one, key)))).toEqual(
    [],
  );
  const open = z.strictObject({ list: z.array(z.int()), record: z.record(z.string(), z.int()) });
  expect(schemasOf(open).flatMap((one) => unlimited(one, ''))).toHaveLength(4);
});

/** A list or record within a request, and the request with a value in its place. */
type Place = {
  path: string;
  kind: 'array' | 'record';
  max: number;
  requestWith: (value: unknown) => unknown;
};

/** Returns the lists and records within a schema. */
function placesOf(schema: z.ZodType, path: string): Place[] {
  const within = (inner: unknown, key: string, wrap: (value: unknown) => unknown): Place[] =>
    placesOf(inner as z.ZodType, key === '' ? path : `${path}.${key}`).map((place) => ({
      ...place,
      requestWith: (value) => wrap(place.requestWith(value)),
    }));
  const same = (value: unknown) => value;
  const { def } = (schema as z.ZodArray)._zod;
  const max = Number(z.core.util.sizeCaps(def.checks)[0]?.[0] ?? schema.meta()?.['maxProperties']);
  const { in: before, out: after, ...other } = def as unknown as Record<string, unknown>;
  switch (def.type as string) {
    case 'object': {
      const { shape } = schema as z.ZodObject;
      // Choose the variant of a union.
      const fixed = Object.fromEntries(
        Object.entries(shape).flatMap(([name, field]) =>
          field instanceof z.ZodLiteral || field instanceof z.ZodEnum
            ? [[name, [...(field as z.ZodLiteral)._zod.values][0]]]
            : [],
        ),
      );
      return Object.entries(shape).flatMap(([name, field]) =>
        within(field, name, (value) => ({ ...fixed, [name]: value })),
      );
    }
    case 'array':
      return [
        { path, kind: 'array', max, requestWith: same },
        ...within(other['element'], '0', (value) => [value]),
      ];
    case 'pipe': {
      const places = [before, after].flatMap((part) => within(part, '', same));
      return places.map((place) => (place.path === path && max ? { ...place, max } : place));
    }
    case 'record':
      return [{ path, kind: 'record', max, requestWith: same }];
    case 'union':
      return (other['options'] as unknown[]).flatMap((option) => within(option, '', same));
    default:
      return other['innerType'] ? within(other['innerType'], '', same) : [];
  }
}

/** Returns how often the entries of a list or record are read while a request with it is validated, and the issues. */
function validated(schema: z.ZodType, { kind, requestWith }: Place, length: number, entry: unknown = null) {
  let reads = 0;
  const names = Array.from({ length }, (_, index) => `name ${index}`);
  const content =
    kind === 'array' ? names.map(() => entry) : Object.fromEntries(names.map((name) => [name, entry]));
  const value = new Proxy(content, {
    get(target, key) {
      if (Object.hasOwn(target, key) && key !== 'length') reads += 1;
      return Reflect.get(target, key) as unknown;
    },
  });
  const { issues = [] } = validate(schema, requestWith(value));
  return { reads, issues: issues.length };
}

test('twice as many invalid entries in a list or record take no quadratic time', () => {
  let count = 0;
  for (const [key, schema] of inputs) {
    for (const place of placesOf(schema, key)) {
      const { path, kind, max } = place;
      count += 1;
      expect(max, path).toBeGreaterThan(0);
      for (const length of [max + 1, 2 * max]) {
        const tooLong = validated(schema, place, length);
        expect(tooLong.reads, path).toBeLessThanOrEqual(kind === 'array' ? 0 : length);
        expect(tooLong.issues, path).toBeLessThan(20);
      }
      const refused = validated(schema, place, max);
      expect(refused.reads, path).toBeLessThanOrEqual(kind === 'array' ? 3 * MAX_ISSUES : 2 * max);
      expect(refused.issues, path).toBeLessThan(2 * MAX_ISSUES);
      // A list is copied once to find the messages of missing fields.
      const incomplete = validated(schema, place, max, {});
      expect(incomplete.reads, path).toBeLessThanOrEqual(2 * max + 3 * MAX_ISSUES);
      expect(incomplete.issues, path).toBeLessThan(2 * MAX_ISSUES);
    }
  }
  expect(count).toBeGreaterThan(100);
});
