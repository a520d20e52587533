import { expect, test } from 'vitest';
import { required, requiredPassword, withStored } from './use-form.ts';

test('a saved form takes what the server stored, except in fields that were changed meanwhile', () => {
  const submitted = { name: 'Daily ', subject: 'A sale\u00a0', items: ['a '], isOn: true };
  const stored = { name: 'Daily', subject: 'A sale', items: ['a'], isOn: true };
  expect(withStored(submitted, submitted, stored)).toEqual(stored);
  const now = { ...submitted, subject: 'Another sale', items: ['a ', 'b'] };
  expect(withStored(now, submitted, stored)).toEqual({ ...now, name: 'Daily' });
});

test('a required field needs text that is more than spaces, a password any text', () => {
  expect(required({ name: 'Name is required' })({ name: '  ' })).toEqual({ name: 'Name is required' });
  const password = requiredPassword({ password: 'Password is required' });
  expect([password({ password: '  ' }), password({ password: '' })]).toEqual([
    {},
    { password: 'Password is required' },
  ]);
});
