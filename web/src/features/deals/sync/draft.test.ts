import type { Deal } from '@forecourt/contract/deals';
import { describe, expect, it } from 'vitest';
import { customCell, requiredFields, type DealOptions } from '../deal-fields.ts';
import type { DealDraft } from '../deal-row.ts';
import {
  applySaved,
  applyConflict,
  emptyDraft,
  discardField,
  isSettled,
  keepMine,
  missingFields,
  nextAttempt,
  applyRefusal,
  clearRefusals,
  applyChange,
  bodyOf,
} from './draft.ts';

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

  it('a new row waits for its customer name and dealership', () => {
    const half = applyChange(fresh, null, name);
    expect(nextAttempt(half, newKey)).toBeNull();
    expect(nextAttempt(applyChange(half, null, dealership), newKey)?.fields).toEqual({
      customerName: 'Zoe',
      dealershipId: 'dealer',
    });
  });

  it('a new row keeps edits made while it was being saved, on its new version', () => {
    const sent = sending(applyChange(applyChange(fresh, null, name), null, dealership));
    const more = applyChange(sent, null, { field: 'vehicle', before: null, after: 'Kia' });
    const after = applySaved(more, deal({ version: 1 }));
    expect(after.dealId).toBe('d1');
    expect(nextAttempt(after, newKey)).toMatchObject({ version: 1, fields: { vehicle: 'Kia' } });
  });

  it('a new row waits until a refused field is corrected', () => {
    const sent = sending(applyChange(applyChange(fresh, null, name), null, dealership));
    const refused = applyRefusal(sent, { customerName: 'Too long' }, 'Invalid request');
    expect(nextAttempt(refused, newKey)).toBeNull();
    expect(
      nextAttempt(applyChange(refused, null, { ...name, after: 'Z' }), newKey)?.fields.customerName,
    ).toBe('Z');
  });
});

it("a refusal shows the server's message for a field without a cell", () => {
  const name = { field: 'customerName', before: null, after: 'Zoe' } as const;
  const dealership = { field: 'dealershipId', before: null, after: 'dealer' } as const;
  const sent = sending(
    applyChange(applyChange(emptyDraft('k', null, '2026-11'), null, name), null, dealership),
  );
  const refused = applyRefusal(sent, { month: 'You may only use the current month' }, 'Invalid request');
  const hold = { kind: 'refused', message: 'You may only use the current month' };
  expect(refused.typed).toMatchObject({ customerName: { hold }, dealershipId: { hold } });
});

describe('a change', () => {
  it('repeats an attempt unchanged, even after more edits', () => {
    const sent = sending(applyChange(saved(), deal(), typed('customerName', 'Anna')));
    const more = applyChange(sent, deal(), typed('customerName', 'Annabel'));
    expect(nextAttempt(more, newKey)).toBe(sent.attempt);
    expect(applySaved(more, deal({ version: 6, customerName: 'Anna' })).typed.customerName).toEqual({
      value: 'Annabel',
      version: 6,
    });
  });

  it('a change is dropped when the typed value equals the saved one', () => {
    const there = applyChange(saved(), deal(), typed('customerName', 'Anna'));
    expect(isSettled(applyChange(there, deal(), typed('customerName', 'Ann')))).toBe(true);
  });

  it('a change is sent on the oldest version when the value changed while the user typed', () => {
    const late = applyChange(saved(), deal({ customerName: 'Theirs' }), typed('customerName', 'Mine', 'Ann'));
    expect(nextAttempt(late, newKey)?.version).toBe(1);
  });

  it('a change keeps the version of the first keystroke when live changes arrive', () => {
    const first = applyChange(saved(), deal({ version: 5 }), typed('customerName', 'An'));
    const second = applyChange(
      first,
      deal({ version: 9, customerName: 'Theirs' }),
      typed('customerName', 'Anna', 'An'),
    );
    expect(nextAttempt(second, newKey)?.version).toBe(5);
  });

  it('a change sends fields of different versions in separate requests', () => {
    const first = applyChange(saved(), deal({ version: 5 }), typed('customerName', 'Anna'));
    const both = applyChange(first, deal({ version: 6 }), typed('vehicle', 'Kia', 'Mazda'));
    expect(nextAttempt(both, newKey)).toMatchObject({ version: 5, fields: { customerName: 'Anna' } });
  });
});

it('a request sends items without names, and null only for empty fields that are not texts', () => {
  const items = JSON.stringify([['tint', 'Tint', 2, null]]);
  expect(bodyOf({ fields: { items, notes: null, saleAmount: null, vehicle: 'Kia' } })).toEqual({
    items: [{ itemId: 'tint', quantity: 2 }],
    notes: '',
    saleAmount: null,
    vehicle: 'Kia',
  });
});

describe('a conflict', () => {
  const at = '2026-11-21T03:00:00.000Z';
  const inConflict = () => {
    const name = applyChange(saved(), deal(), typed('customerName', 'Mine'));
    const both = sending(applyChange(name, deal(), typed('vehicle', 'Kia', 'Mazda')));
    return applyConflict(
      both,
      [{ field: 'customerName', byName: 'Kim', at }],
      deal({ updatedByName: 'Ada' }),
    );
  };

  it('a conflict names the last user who changed the row if the user who changed the field is unknown', () => {
    const sent = sending(applyChange(saved(), deal(), typed('customerName', 'Mine')));
    const current = deal({ updatedByName: 'Ada', updatedAt: at });
    expect(applyConflict(sent, [], current).typed.customerName?.hold).toEqual({
      kind: 'conflict',
      by: 'Ada',
      at,
    });
  });

  it('a conflict marks the field that both changed and sends the others', () => {
    expect(inConflict().typed.customerName?.hold).toEqual({ kind: 'conflict', by: 'Kim', at });
    expect(nextAttempt(inConflict(), newKey)?.fields).toEqual({ vehicle: 'Kia' });
  });

  it('a conflict sends the typed value on the version that was shown', () => {
    const kept = keepMine(inConflict(), 'customerName', deal({ version: 8 }));
    const rest = applySaved(sending(discardField(kept, 'vehicle')), deal({ version: 9 }));
    expect(nextAttempt(discardField(kept, 'vehicle'), newKey)).toMatchObject({
      version: 8,
      fields: { customerName: 'Mine' },
    });
    expect(isSettled(rest)).toBe(true);
  });

  it('a conflict is removed with the typed value when theirs is taken', () => {
    expect(discardField(inConflict(), 'customerName').typed.customerName).toBeUndefined();
  });

  it('still needs a decision after more edits', () => {
    const again = applyChange(inConflict(), deal(), typed('customerName', 'Mine too'));
    expect(again.typed.customerName?.hold).toEqual({ kind: 'conflict', by: 'Kim', at });
  });
});

describe('a refusal', () => {
  it('a refusal marks all sent fields when the server names none, until they are retried', () => {
    const refused = applyRefusal(
      sending(applyChange(saved(), deal(), typed('notes', 'Hi', ''))),
      {},
      'Access denied',
    );
    expect(refused.typed.notes?.hold).toEqual({ kind: 'refused', message: 'Access denied' });
    expect(nextAttempt(refused, newKey)).toBeNull();
    expect(nextAttempt(clearRefusals(refused), newKey)?.fields).toEqual({ notes: 'Hi' });
  });

  it.each([{ vehicle: 'Too long' }, {}])(
    'a refusal marks no value that was corrected meanwhile: %j',
    (errors) => {
      const sent = sending(applyChange(saved(), deal(), typed('vehicle', 'Kiaaa', 'Mazda')));
      const refused = applyRefusal(applyChange(sent, deal(), typed('vehicle', 'Kia', 'Kiaaa')), errors, 'No');
      expect(refused.typed.vehicle?.hold).toBeUndefined();
      expect(nextAttempt(refused, newKey)?.fields).toEqual({ vehicle: 'Kia' });
    },
  );
});

describe('a draft', () => {
  const kia = typed('vehicle', 'Kia', 'Mazda');
  const note = typed('notes', 'Call', '');
  const conflictOf = (field: string) => [{ field, byName: 'Ada', at: '2026-11-20T03:04:00.000Z' }] as never;

  it('a draft is not settled while its request has no response', () => {
    const { attempt } = sending(applyChange(saved(), deal(), kia));
    expect(isSettled({ ...saved(), attempt })).toBe(false);
  });

  it('a draft keeps the saved value where another one is being sent', () => {
    const sent = sending(applyChange(saved(), deal(), kia));
    expect(applyChange(sent, deal(), typed('vehicle', 'Mazda', 'Kia')).typed.vehicle?.value).toBe('Mazda');
  });

  it('a draft keeps an emptied cell of a new row', () => {
    const fresh = emptyDraft('k', null, '2026-11');
    expect(applyChange(fresh, null, typed('vehicle', '', 'Kia')).typed.vehicle?.value).toBe('');
  });

  it('a draft sends only the fields of one version', () => {
    const both = applyChange(applyChange(saved(), deal(), kia), deal({ version: 6 }), note);
    expect(nextAttempt(both, newKey)).toMatchObject({ version: 5, fields: { vehicle: 'Kia' } });
    expect(nextAttempt(both, newKey)?.fields).not.toHaveProperty('notes');
  });

  it('a draft leaves a field that was not sent on its version after the response', () => {
    const more = applyChange(sending(applyChange(saved(), deal(), kia)), deal(), note);
    const { typed: left } = applySaved(more, deal({ version: 6, vehicle: 'Kia' }));
    expect(left).toEqual({ notes: { value: 'Call', version: 5 } });
  });

  it('a draft takes a response without a request of its own', () => {
    const open = applyChange(saved(), deal(), kia);
    expect(applySaved(open, deal()).typed).toEqual(open.typed);
    expect(applyConflict(open, [], deal()).typed).toEqual(open.typed);
    expect(applyRefusal(open, {}, 'Refused').typed).toEqual(open.typed);
  });

  it('a draft keeps the reasons of other fields', () => {
    const refused = applyRefusal(sending(applyChange(saved(), deal(), kia)), {}, 'Not this one');
    const second = sending(applyChange(refused, deal(), note));
    expect(applyRefusal(second, { notes: 'Nor this' }, '').typed.vehicle?.hold).toEqual({
      kind: 'refused',
      message: 'Not this one',
    });
    // The refused value is what the row has by now, but the conflict is about another field.
    const current = deal({ vehicle: 'Kia', notes: 'Theirs' });
    expect(applyConflict(second, conflictOf('notes'), current).typed.vehicle?.value).toBe('Kia');
  });

  it('a draft is the same after a decision about a field that was not typed', () => {
    const open = applyChange(saved(), deal(), kia);
    expect(keepMine(open, 'notes', deal())).toBe(open);
  });

  it('a draft keeps its conflicts when refused fields are tried again', () => {
    const both = sending(applyChange(applyChange(saved(), deal(), kia), deal(), note));
    const held = applyConflict(both, conflictOf('notes'), deal({ notes: 'Theirs' }));
    expect(clearRefusals(held).typed).toEqual(held.typed);
  });
});

describe('custom fields', () => {
  const given = { custom1: 'x', custom2: customCell(true), custom3: customCell(['o1', 'o2']), custom4: null };
  const options = {
    customFields: [
      { key: 'custom1', isRequired: true, editable: true, defaultValue: null },
      { key: 'custom2', isRequired: true, editable: true, defaultValue: 'set by the server' },
      { key: 'custom3', isRequired: true, editable: false, defaultValue: null },
      { key: 'custom4', isRequired: false, editable: true, defaultValue: null },
    ],
  } as unknown as DealOptions;
  const required = requiredFields(options);
  const fresh = [
    { field: 'customerName', before: null, after: 'Zoe' },
    { field: 'dealershipId', before: null, after: 'dealer' },
  ].reduce((draft, change) => applyChange(draft, null, change as never), emptyDraft('k', null, '2026-11'));
  const mileage = { field: 'custom1', before: null, after: 0 } as const;

  it('custom fields are sent together, as the contract has them', () => {
    expect(bodyOf({ fields: { ...given, vehicle: 'Kia' } })).toEqual({
      vehicle: 'Kia',
      custom: { custom1: 'x', custom2: true, custom3: ['o1', 'o2'], custom4: null },
    });
    expect(bodyOf({ fields: { vehicle: 'Kia' } })).toEqual({ vehicle: 'Kia' });
  });

  it('custom fields leave nothing to send where the saved value is typed', () => {
    const here = deal({ custom: { custom3: ['o1'] } });
    const draft = applyChange(saved(), here, {
      field: 'custom3',
      before: customCell(['o1']),
      after: customCell(['o1']),
    });
    expect(isSettled(draft)).toBe(true);
  });

  it('custom fields that a new row needs are waited for, except those with a default or of administrators', () => {
    expect(missingFields(fresh, required)).toEqual(['custom1']);
    expect(nextAttempt(fresh, newKey, required)).toBeNull();
    const whole = applyChange(fresh, null, mileage);
    expect(missingFields(whole, required)).toEqual([]);
    expect(nextAttempt(whole, newKey, required)?.fields).toMatchObject({ custom1: 0 });
  });

  it('custom fields are marked where the server names them, also an empty one that a new row needs', () => {
    const typedOne = applyChange(saved(), deal(), { field: 'custom4', before: null, after: 'x' });
    const errors = { 'custom.custom4': 'Must be a number' };
    expect(applyRefusal(sending(typedOne), errors, '').typed.custom4?.hold).toEqual({
      kind: 'refused',
      message: 'Must be a number',
    });
    const needed = applyRefusal(sending(fresh), { 'custom.custom1': 'Mileage is required' }, '');
    expect(needed.typed.custom1).toEqual({
      value: null,
      version: 0,
      hold: { kind: 'refused', message: 'Mileage is required' },
    });
    expect(needed.typed.customerName?.hold).toBeUndefined();
    expect(nextAttempt(applyChange(needed, null, mileage), newKey)?.fields).toMatchObject({ custom1: 0 });
  });

  it('custom fields wait for a decision after a conflict', () => {
    const mine = applyChange(saved(), deal(), { field: 'custom4', before: null, after: 'mine' });
    const conflicts = [{ field: 'custom4', byName: 'Ada', at: '2026-11-20T03:04:00.000Z' }] as never;
    const theirs = deal({ version: 6, custom: { custom4: 'theirs' } });
    const inConflict = applyConflict(sending(mine), conflicts, theirs);
    expect(inConflict.typed.custom4?.hold).toMatchObject({ kind: 'conflict', by: 'Ada' });
    expect(nextAttempt(keepMine(inConflict, 'custom4', theirs), newKey)).toMatchObject({ version: 6 });
    // Both wrote the same.
    const same = deal({ version: 6, custom: { custom4: 'mine' } });
    expect(isSettled(applyConflict(sending(mine), conflicts, same))).toBe(true);
  });
});
