import { describe, expect, test } from 'vitest';
import { valuesOfLink, emptyValues, requestOf } from './export-values.ts';

describe('the request', () => {
  test('the request of an export has the non-empty filters of the kind', () => {
    const values = { ...emptyValues(), month: '2026-11', actorId: 'somebody', search: '' };
    expect(requestOf(values)).toEqual({ kind: 'deals', format: 'xlsx', month: '2026-11' });
    expect(requestOf({ ...values, kind: 'users' })).toEqual({ kind: 'users', format: 'xlsx' });
  });

  test('the request of an export has whole days of the audit log, both included', () => {
    const values = { ...emptyValues(), kind: 'audit' as const, from: '2026-11-20', to: '2026-11-20' };
    expect(requestOf(values)).toMatchObject({
      from: new Date(2026, 10, 20).toISOString(),
      to: new Date(2026, 10, 21).toISOString(),
    });
    expect(requestOf({ ...values, from: 'x', to: '2026-02-31' })).toEqual({ kind: 'audit', format: 'xlsx' });
  });
});

describe('a link to the screen', () => {
  test('a link to the form of exports prefills the form', () => {
    expect(
      valuesOfLink({ kind: 'audit', action: 'deal.deleted', fromDay: '2026-11-20', other: 'x' }),
    ).toEqual({
      ...emptyValues(),
      kind: 'audit',
      action: 'deal.deleted',
      from: '2026-11-20',
    });
  });

  test('a link to the form of exports without a valid kind has no values', () => {
    expect(valuesOfLink({})).toBeNull();
    expect(valuesOfLink({ kind: 'secrets' })).toBeNull();
    expect(valuesOfLink({ kind: 'constructor' })).toBeNull();
    expect(valuesOfLink({ kind: 'deals', toString: 'x' })).toEqual(emptyValues());
  });
});
