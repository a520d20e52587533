import { defaultRecord } from '@forecourt/contract/permission-defaults';
import { describe, expect, test } from 'vitest';
import type { Viewer } from '../../platform/http/context.ts';
import { abilitiesOf, isQueried } from './months.policy.ts';

type Row = Parameters<typeof abilitiesOf>[1];
type Kind = Row['notes'][number]['kind'];

const viewer = (closeMonths: boolean): Viewer =>
  ({
    userId: 'kim',
    role: 'user',
    permissions: {
      ...defaultRecord,
      pages: { ...defaultRecord.pages, dataEntry: true },
      features: { ...defaultRecord.features, closeMonths },
    },
  }) as Viewer;
const row = (kinds: readonly Kind[] = [], changes: Partial<Row> = {}): Row => ({
  owner_id: 'kim',
  is_superseded: false,
  notes: kinds.map((kind) => ({ kind })) as Row['notes'],
  ...changes,
});

test.each<[kinds: Kind[], expected: boolean]>([
  [[], false],
  [['query'], true],
  [['query', 'seen', 'sent'], true],
  [['query', 'answer'], false],
  [['query', 'answer', 'query'], true],
  [['seen', 'sent'], false],
])('a statement with the notes %j has a query without an answer: %s', (kinds, expected) => {
  expect(isQueried(row(kinds))).toBe(expected);
});

describe('what a viewer may do with a statement', () => {
  const other = { owner_id: 'lee' };
  const superseded = { is_superseded: true };
  test.each<[who: string, closeMonths: boolean, statement: Row, abilities: object]>([
    ['of their own', false, row(), { see: true, query: true, answer: 'NO_QUERY', send: 'NO_CLOSING' }],
    ['of their own that they have seen', false, row(['seen']), { see: 'IS_SEEN', query: true }],
    ['of another person', false, row([], other), { see: 'NOT_YOURS', query: 'NOT_YOURS' }],
    ['that is queried', false, row(['query']), { see: true, answer: 'NO_CLOSING' }],
    ['as one who closes months', true, row([], other), { answer: 'NO_QUERY', send: true }],
    ['that is queried, as one who closes months', true, row(['query'], other), { answer: true }],
    [
      'that is superseded, as one who closes months',
      true,
      row([], superseded),
      { see: 'SUPERSEDED', query: 'SUPERSEDED', send: 'SUPERSEDED' },
    ],
  ])('a viewer has these abilities for a statement %s', (_who, closeMonths, statement, abilities) => {
    expect(abilitiesOf(viewer(closeMonths), statement)).toMatchObject(abilities);
  });
});
