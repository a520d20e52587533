import { describe, expect, test } from 'vitest';
import { askedFor, emptyValues, wantedOf } from './export-values.ts';

describe('what is asked of the server', () => {
  test('are the filters of the kind that say something', () => {
    const values = { ...emptyValues(), month: '2026-11', actorId: 'somebody', search: '' };
    expect(wantedOf(values)).toEqual({ kind: 'deals', format: 'xlsx', month: '2026-11' });
    expect(wantedOf({ ...values, kind: 'users' })).toEqual({ kind: 'users', format: 'xlsx' });
  });

  test('are whole days of the audit log, both included', () => {
    const values = { ...emptyValues(), kind: 'audit' as const, from: '2026-11-20', to: '2026-11-20' };
    expect(wantedOf(values)).toMatchObject({
      from: new Date(2026, 10, 20).toISOString(),
      to: new Date(2026, 10, 21).toISOString(),
    });
  });
});

describe('a link to the screen', () => {
  test('fills the form in', () => {
    expect(askedFor({ kind: 'audit', action: 'deal.deleted', fromDay: '2026-11-20', other: 'x' })).toEqual({
      ...emptyValues(),
      kind: 'audit',
      action: 'deal.deleted',
      from: '2026-11-20',
    });
  });

  test('without a kind that there is asks for nothing', () => {
    expect(askedFor({})).toBeNull();
    expect(askedFor({ kind: 'secrets' })).toBeNull();
  });
});
