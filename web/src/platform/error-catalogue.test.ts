import { expect, test } from 'vitest';
import { errorCatalogue } from './error-catalogue.ts';

/** Failure messages that no screen shows, by reason. */
const unshown: Record<string, readonly string[]> = {
  'Dealership Settings has a sentence of its own for the same failure': [
    'Failed to fetch dealerships',
    'Failed to create dealership',
    'Failed to update dealership',
    'Failed to delete dealership',
  ],
  'Only what can be shared has a share button': ['Unsupported resource type'],
  'Email Settings lists everybody at once and has one sentence for saving': [
    'Failed to fetch email settings',
    'Failed to update email settings',
    'Failed to fetch user settings',
    'Failed to update user settings',
  ],
};

/** All other failure messages, verbatim (docs/product/screens.md, Texts). */
const specified = {
  interceptor: [
    'Session expired. Please log in again.',
    'Password change required',
    'Access denied',
    'Invalid request',
    'Resource not found',
    'Server error. Please try again later.',
    'Error: 418',
    'Request timeout. Please try again.',
    'Network error. Please check your connection.',
  ],
  permissions: [
    'Failed to fetch permissions',
    'Failed to fetch user permissions',
    'Failed to update permissions',
    'Invalid user ID',
    'Too many permission requests, please wait',
  ],
  dealerships: [
    'Failed to update sharing settings',
    'Failed to transfer ownership',
    'Failed to update dealership status',
  ],
  dealershipScreen: [
    'Failed to load dealership data. Please refresh the page.',
    "You don't have permission to access dealership settings",
    'Failed to save dealership. Please try again.',
    'Dealership deleted successfully',
    'Failed to delete dealership. Please try again.',
    'Dealership activated successfully',
    'Dealership deactivated successfully',
    'Successfully activated 418 dealership(s)',
    'Successfully deactivated 418 dealership(s)',
  ],
  templates: [
    'Failed to fetch templates',
    'Failed to fetch template',
    'Failed to create template',
    'Failed to update template',
    'Failed to delete template',
    'Failed to fetch versions',
    'Failed to preview template',
    'Failed to send email',
    'Failed to fetch email logs',
  ],
  users: [
    'Failed to fetch users',
    'Failed to create user',
    'Failed to update user',
    'Failed to reset password',
  ],
  emailSettings: [
    'Failed to verify SMTP connection',
    'Admin access required to manage email settings',
    'Authentication required',
    'Failed to fetch users settings',
    'Failed to delete user settings',
    'SMTP connection verified successfully',
    'Email settings saved successfully',
    'Email settings deleted successfully',
    'Failed to save email settings',
    'Are you sure you want to delete these email settings?',
  ],
  settings: [
    'Failed to save commission settings',
    'Failed to save data entry settings',
    'Failed to fetch settings',
    'Failed to update setting: 418',
    'Failed to create setting',
    'Failed to delete setting: 418',
    'Failed to initialize default settings',
  ],
  backups: [
    'Failed to fetch backups',
    'Failed to create backup',
    'Failed to download backup',
    'Failed to upload backup',
    'Failed to restore from backup',
    'Failed to delete backup',
    'Failed to save SSH settings',
    'Connection test failed',
    'SSH connection test failed: 418',
    'Failed to fetch scheduler status',
    'Failed to start backup scheduler',
    'Failed to stop backup scheduler',
    'Failed to trigger manual backup',
  ],
};

type Sentence = string | ((value: never) => string);
const read = (sentence: Sentence): string =>
  typeof sentence === 'string' ? sentence : sentence(418 as never);

test('the catalogue has the specified failure messages, verbatim', () => {
  const written = Object.fromEntries(
    Object.entries(errorCatalogue).map(([store, sentences]) => [
      store,
      Object.values<Sentence>(sentences).map(read),
    ]),
  );
  expect(written).toEqual(specified);
});

test('the catalogue has no message that no screen shows', () => {
  const all = new Set(
    Object.values<Record<string, Sentence>>(errorCatalogue).flatMap((store) =>
      Object.values(store).map(read),
    ),
  );
  expect(
    Object.values(unshown)
      .flat()
      .filter((sentence) => all.has(sentence)),
  ).toEqual([]);

  const sources = Object.values(
    import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.*', '!./error-catalogue.ts'], {
      eager: true,
      query: '?raw',
      import: 'default',
    }),
  ).filter((source) => source.includes('errorCatalogue'));
  const isUsed = (store: string, key: string): boolean =>
    sources.some((source) => {
      const named = new RegExp(`const (\\w+) = errorCatalogue\\.${store};`).exec(source)?.[1];
      const taken = new RegExp(`const \\{[^}]*\\b${store}\\b[^}]*\\} = errorCatalogue;`).test(source);
      const names = [`errorCatalogue.${store}`, named, taken ? store : undefined];
      return names.some((name) => name !== undefined && new RegExp(`\\b${name}\\.${key}\\b`).test(source));
    });
  const unused = Object.entries(errorCatalogue).flatMap(([store, sentences]) =>
    Object.keys(sentences)
      .filter((key) => !isUsed(store, key))
      .map((key) => `${store}.${key}`),
  );
  expect(unused).toEqual([]);
});
