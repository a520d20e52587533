import type { ChangeDetail, ChangeSet } from '@forecourt/contract/deal-changes';
import { expect, test } from 'vitest';
import { titleOf } from './change-set-title.ts';

const detail = (customerName: string | undefined, ...fields: ChangeDetail['fields']): ChangeDetail => ({
  ...(customerName !== undefined && { customerName }),
  isNew: false,
  fields,
  customFields: [],
});
const set = (part: Partial<ChangeSet>): ChangeSet =>
  ({
    kind: 'edit',
    title: 'Changed 2 rows',
    rows: 2,
    added: 0,
    changed: part.rows ?? 2,
    ...part,
  }) as ChangeSet;

test.each([
  [
    'Typed: Dan Rossi, phone; Ann Wood, sale',
    {
      details: [
        detail('Dan Rossi', 'customerNumber'),
        detail('Ann Wood', 'saleAmount', 'commission', 'grossProfit'),
      ],
    },
  ],
  [
    'Typed: Dan Rossi, added; a row, notes; and 7 more rows',
    {
      rows: 9,
      added: 1,
      changed: 8,
      details: [{ ...detail('Dan Rossi'), isNew: true }, detail(undefined, 'notes')],
    },
  ],
  [
    'Typed: Dan Rossi, vehicle, notes, sale, Finance; and 1 more row',
    {
      details: [{ ...detail('Dan Rossi', 'vehicle', 'notes', 'saleAmount'), customFields: ['Finance'] }],
    },
  ],
  [
    'Typed: Dan Rossi, customer, phone, customer email, deal number, 2 more fields',
    {
      rows: 1,
      details: [
        detail(
          'Dan Rossi',
          'customerName',
          'customerNumber',
          'customerEmail',
          'dealNumber',
          'vehicle',
          'notes',
        ),
      ],
    },
  ],
  [
    'Filled 2 rows: vehicle, notes',
    {
      kind: 'fill',
      title: 'Filled 2 rows',
      details: [detail('Dan Rossi', 'vehicle'), detail('Ann Wood', 'vehicle', 'notes')],
    },
  ],
  [
    'Deleted Dan Rossi',
    { kind: 'api', title: 'Deleted Dan Rossi', changed: 0, details: [detail('Dan Rossi')] },
  ],
  ['Changed 2 rows', { details: [] }],
] as const satisfies readonly (readonly [string, Partial<ChangeSet>])[])('the line is “%s”', (line, part) => {
  expect(titleOf(set(part))).toBe(line);
});
