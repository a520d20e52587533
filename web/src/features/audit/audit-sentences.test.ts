import type { AuditLogEntry } from '@forecourt/contract/audit';
import { describe, expect, test } from 'vitest';
import { sentenceOf, valueText } from './audit-sentences.ts';

const entry = (changes: Partial<AuditLogEntry>): AuditLogEntry => ({
  _id: '1',
  at: '2026-11-20T01:02:03.000Z',
  actorId: null,
  actorName: 'Ada Admin',
  ip: '127.0.0.1',
  action: 'deal.updated',
  entity: 'deal',
  recordId: null,
  recordName: 'Ann Example',
  before: null,
  after: null,
  redacted: false,
  requestId: '1',
  ...changes,
});

describe('an entry as a sentence', () => {
  test.each<[Partial<AuditLogEntry>, string]>([
    [
      { before: { notes: 'a' }, after: { notes: 'b', followUpAt: 'c' } },
      'Ada Admin changed notes and follow up at of deal Ann Example',
    ],
    [{ after: { a: 1, b: 1, c: 1, d: 1, e: 1 } }, 'Ada Admin changed a, b, c and 2 more of deal Ann Example'],
    [{ action: 'deal.created', after: { notes: 'b' } }, 'Ada Admin added deal Ann Example'],
    [
      { action: 'item.deleted', entity: 'item', recordName: null, before: { name: 'Dash cam' } },
      'Ada Admin deleted item Dash cam',
    ],
    [
      { action: 'job.started', entity: 'job', recordName: null, after: { name: 'deleted-rows' } },
      'Ada Admin started the background work Deleted rows',
    ],
    [{ action: 'session.started', entity: 'session', recordName: null }, 'Ada Admin signed in'],
    [
      {
        action: 'session.refused',
        actorName: 'System',
        entity: 'session',
        recordName: null,
        after: { email: 'kim@example.com' },
      },
      'System refused a sign-in of kim@example.com',
    ],
    [
      {
        action: 'setup.key-replaced',
        actorName: 'System',
        entity: 'setup',
        recordName: null,
        after: { encryptedAgain: 7, signedAgain: 12 },
      },
      'System replaced the key of the database',
    ],
    [
      { action: 'user.password-reset', entity: 'user', recordName: 'Kim Novak' },
      'Ada Admin gave a temporary password to Kim Novak',
    ],
    [
      { before: { custom1: 'o1', custom2: 3 }, after: { custom1: 'o2', custom2: 4 } },
      'Ada Admin changed a custom field of deal Ann Example',
    ],
    [
      { action: 'statement.seen', entity: 'statement', recordName: null, after: { name: '2024-01-001' } },
      'Ada Admin has seen statement 2024-01-001',
    ],
    [
      { action: 'month.adjusted', entity: 'month', recordName: null, after: { name: '2024-01', rows: 1 } },
      'Ada Admin changed amounts in the closed month 2024-01',
    ],
    [{ action: 'thing.turned-over', entity: 'thing' }, 'Ada Admin turned over thing Ann Example'],
    [
      {
        action: 'custom-field.updated',
        entity: 'custom-field',
        recordName: 'Fuel',
        before: { key: 'custom1', help: '', options: [{ name: 'Petrol' }] },
        after: { key: 'custom1', help: 'Of the car', options: [{ name: 'Petrol' }] },
      },
      'Ada Admin changed help of custom field Fuel',
    ],
    [{ redacted: true }, 'Ada Admin changed deal Ann Example'],
  ])('%o', (changes, sentence) => {
    expect(sentenceOf(entry(changes))).toBe(sentence);
  });
});

describe('a value', () => {
  test.each<[unknown, string]>([
    [null, '–'],
    ['', '–'],
    [0, '0'],
    [false, 'No'],
    ['id-1', 'Kim Novak'],
    [['id-1', 'x'], 'Kim Novak, x'],
    [[], '–'],
    [
      [
        { id: 'o1', name: 'Petrol', active: true },
        { id: 'o2', name: 'Steam', active: false },
      ],
      'Petrol, Steam (not offered)',
    ],
    [{ owner: 'id-1' }, '{\n  "owner": "Kim Novak"\n}'],
  ])('%o', (value, text) => {
    expect(valueText(value, { 'id-1': 'Kim Novak' })).toBe(text);
  });
});
