import { afterEach, expect, test, vi } from 'vitest';
import { refusalOf, stubServer } from '../../../platform/api.fixture.ts';
import { person } from '../../../platform/person.fixture.ts';
import { signIn, signOut } from '../../../platform/session.ts';
import { storageKeys, writeStored } from '../../../platform/storage-keys.ts';
import { getUnsavedWork } from './unsaved-work.ts';

afterEach(() => {
  signOut();
  vi.unstubAllGlobals();
});

test('a page sends nothing with the token of a sign-in in another tab, before this tab is notified of it', async () => {
  const user = person();
  const { count } = stubServer({
    'POST /auth/login': () => ({ token: 'own', user }),
    'POST /auth/logout': () => undefined,
    'POST /deals/bulk/create': () => refusalOf('UNAVAILABLE'),
    'PATCH /deals/:id': () => refusalOf('UNAVAILABLE'),
  });
  await signIn({ email: 'kim@example.com', password: 'a password' });
  const { draftSync } = getUnsavedWork(user._id);
  const name = { field: 'customerName', before: null, after: 'Ann' } as const;
  const dealership = { field: 'dealershipId', before: null, after: 'dealer' } as const;
  const type = async (key: string): Promise<void> => {
    draftSync.type({ key, deal: null, edits: [name, dealership] }, '2026-11');
    await draftSync.whenSettled(key);
  };
  await type('before');
  expect(count('POST /deals/bulk/create')).toBe(1);
  writeStored(storageKeys.token, 'of another user');
  await type('after');
  expect(count('POST /deals/bulk/create')).toBe(1);
  expect(draftSync.draftOf('after')).toMatchObject({ typed: { customerName: { value: 'Ann' } } });
  draftSync.stop();
});
