import type { Deal } from '@forecourt/contract/deals';
import { describe, expect, it } from 'vitest';
import {
  confirm,
  conflict,
  emptyDraft,
  giveUp,
  isSettled,
  keepMine,
  nextAttempt,
  refuse,
  release,
  type,
  type DealDraft,
} from './deal-draft.ts';

let keys = 0;
const newKey = (): string => `key-${(keys += 1)}`;

const deal = (part: Partial<Deal> = {}): Deal =>
  ({
    _id: 'd1',
    version: 5,
    customerName: 'Ann',
    vehicle: 'Mazda',
    notes: '',
    saleAmount: null,
    ...part,
  }) as Deal;
const typed = (field: 'customerName' | 'vehicle' | 'notes', after: string, before = 'Ann') => ({
  field,
  before,
  after,
});
const saved = (): DealDraft => emptyDraft('d1', 'd1', '2026-11');
const sending = (draft: DealDraft): DealDraft => ({ ...draft, attempt: nextAttempt(draft, newKey) });

describe('a new row', () => {
  const fresh = emptyDraft('k', null, '2026-11');
  const name = { field: 'customerName', before: null, after: 'Zoe' } as const;
  const dealership = { field: 'dealershipId', before: null, after: 'dealer' } as const;

  it('waits for its name and dealership', () => {
    const half = type(fresh, null, name);
    expect(nextAttempt(half, newKey)).toBeNull();
    expect(nextAttempt(type(half, null, dealership), newKey)?.fields).toEqual({
      customerName: 'Zoe',
      dealershipId: 'dealer',
    });
  });

  it('keeps what was typed while it was being saved, on the version it then has', () => {
    const sent = sending(type(type(fresh, null, name), null, dealership));
    const more = type(sent, null, { field: 'vehicle', before: null, after: 'Kia' });
    const after = confirm(more, deal({ version: 1 }));
    expect(after.dealId).toBe('d1');
    expect(nextAttempt(after, newKey)).toMatchObject({ version: 1, fields: { vehicle: 'Kia' } });
  });

  it('waits until a refused field is put right', () => {
    const sent = sending(type(type(fresh, null, name), null, dealership));
    const refused = refuse(sent, { customerName: 'Too long' }, 'Invalid request');
    expect(nextAttempt(refused, newKey)).toBeNull();
    expect(nextAttempt(type(refused, null, { ...name, after: 'Z' }), newKey)?.fields.customerName).toBe('Z');
  });
});

it('says in the words of the server what is wrong with a field that has no cell', () => {
  const name = { field: 'customerName', before: null, after: 'Zoe' } as const;
  const dealership = { field: 'dealershipId', before: null, after: 'dealer' } as const;
  const sent = sending(type(type(emptyDraft('k', null, '2026-11'), null, name), null, dealership));
  const refused = refuse(sent, { month: 'You may only use the current month' }, 'Invalid request');
  const hold = { kind: 'refused', message: 'You may only use the current month' };
  expect(refused.typed).toMatchObject({ customerName: { hold }, dealershipId: { hold } });
});

describe('a change', () => {
  it('repeats an attempt word for word, whatever was typed since', () => {
    const sent = sending(type(saved(), deal(), typed('customerName', 'Anna')));
    const more = type(sent, deal(), typed('customerName', 'Annabel'));
    expect(nextAttempt(more, newKey)).toBe(sent.attempt);
    expect(confirm(more, deal({ version: 6, customerName: 'Anna' })).typed.customerName).toEqual({
      value: 'Annabel',
      version: 6,
    });
  });

  it('is nothing once the typed value is what the server has', () => {
    const there = type(saved(), deal(), typed('customerName', 'Anna'));
    expect(isSettled(type(there, deal(), typed('customerName', 'Ann')))).toBe(true);
  });

  it('asks for the verdict of the server when the value changed while somebody typed', () => {
    const late = type(saved(), deal({ customerName: 'Theirs' }), typed('customerName', 'Mine', 'Ann'));
    expect(nextAttempt(late, newKey)?.version).toBe(1);
  });

  it('keeps the version of the first keystroke when live changes come in between', () => {
    const first = type(saved(), deal({ version: 5 }), typed('customerName', 'An'));
    const second = type(
      first,
      deal({ version: 9, customerName: 'Theirs' }),
      typed('customerName', 'Anna', 'An'),
    );
    expect(nextAttempt(second, newKey)?.version).toBe(5);
  });

  it('sends fields that were typed on different versions one version after the other', () => {
    const first = type(saved(), deal({ version: 5 }), typed('customerName', 'Anna'));
    const both = type(first, deal({ version: 6 }), typed('vehicle', 'Kia', 'Mazda'));
    expect(nextAttempt(both, newKey)).toMatchObject({ version: 5, fields: { customerName: 'Anna' } });
  });
});

describe('a conflict', () => {
  const at = '2026-11-21T03:00:00.000Z';
  const inConflict = () => {
    const name = type(saved(), deal(), typed('customerName', 'Mine'));
    const both = sending(type(name, deal(), typed('vehicle', 'Kia', 'Mazda')));
    return conflict(both, [{ field: 'customerName', byName: 'Kim', at }], deal({ updatedByName: 'Ada' }));
  };

  it('names whoever changed the row last where nobody knows who changed the field', () => {
    const sent = sending(type(saved(), deal(), typed('customerName', 'Mine')));
    const current = deal({ updatedByName: 'Ada', updatedAt: at });
    expect(conflict(sent, [], current).typed.customerName?.hold).toEqual({ kind: 'conflict', by: 'Ada', at });
  });

  it('holds the field that both changed and sends the others', () => {
    expect(inConflict().typed.customerName?.hold).toEqual({ kind: 'conflict', by: 'Kim', at });
    expect(nextAttempt(inConflict(), newKey)?.fields).toEqual({ vehicle: 'Kia' });
  });

  it('sends mine on the version that was shown', () => {
    const kept = keepMine(inConflict(), 'customerName', deal({ version: 8 }));
    const rest = confirm(sending(giveUp(kept, 'vehicle')), deal({ version: 9 }));
    expect(nextAttempt(giveUp(kept, 'vehicle'), newKey)).toMatchObject({
      version: 8,
      fields: { customerName: 'Mine' },
    });
    expect(isSettled(rest)).toBe(true);
  });

  it('leaves nothing of mine when theirs is taken', () => {
    expect(giveUp(inConflict(), 'customerName').typed.customerName).toBeUndefined();
  });

  it('still needs its decision after more typing', () => {
    const again = type(inConflict(), deal(), typed('customerName', 'Mine too'));
    expect(again.typed.customerName?.hold).toEqual({ kind: 'conflict', by: 'Kim', at });
  });
});

describe('a refusal', () => {
  it('holds everything that was sent when the server names no field, until it is tried again', () => {
    const refused = refuse(sending(type(saved(), deal(), typed('notes', 'Hi', ''))), {}, 'Access denied');
    expect(refused.typed.notes?.hold).toEqual({ kind: 'refused', message: 'Access denied' });
    expect(nextAttempt(refused, newKey)).toBeNull();
    expect(nextAttempt(release(refused), newKey)?.fields).toEqual({ notes: 'Hi' });
  });
});
