import { errorCodes } from '@forecourt/contract/errors';
import { expect, test } from 'vitest';

/**
 * Every text for people that the specification quotes, and the labels that it names, by its sections. Section 8 is
 * in error-catalogue.test.ts. `N` stands for a count, {name} for what is put in.
 */
const specified = {
  '2 Route guard rules': ['Admin access required'],
  '2 Application shell': ['Sign Out', 'User', 'U', 'Last login: {when}', 'Never', 'System', 'Light', 'Dark'],
  '2 Dealership Settings': [
    'Dealership Management',
    'Name',
    'Address',
    'Default Template',
    'Contacts',
    'N contacts',
    'Shared With',
    'Share Selected',
    'Activate Selected',
    'Deactivate Selected',
    'Delete Dealership',
    'Are you sure you want to delete this dealership? This action cannot be undone.',
    'No dealerships available',
    'Loading...',
    "You don't have permission to access dealership settings",
    'Failed to load dealership data. Please refresh the page.',
    'Add Dealership',
    'Edit Dealership',
    'You do not have permission to edit dealerships',
    'You do not have permission to change dealership status',
    'You do not have permission to delete dealerships',
  ],
  '2 Share dialog': [
    '{name} ({email})',
    'View',
    'Edit',
    'Cancel',
    'Update Sharing',
    'Remove All Shares',
    'Updating...',
    'Please select a user',
    'View Only',
    'Full Access',
  ],
  '2 Email Settings': [
    'Configured',
    'Not Configured',
    'SMTP Host',
    'SMTP Port',
    'Use SSL/TLS',
    'SMTP Username',
    'SMTP Password',
    'From Email',
    'Last verified',
    'Test Connection',
    'Save Settings',
    'Delete Settings',
  ],
  '2 General Settings': [
    'My Settings',
    'Commission Settings',
    'Data Entry Settings',
    'Only administrators can modify settings.',
  ],
  '2 Backups': [
    'Create Backup',
    'Automatic',
    'Pre-restore',
    'Manual',
    'Processing...',
    'Download All',
    'Delete Selected',
    'No backups available',
    'Restore Successful',
    'Restore Failed',
    'Refresh Backup List',
    'SSH Remote Backup Settings',
  ],
  '4 Deal status': ['Entered', 'Called', 'Deal', 'No deal', 'Deal Not Entered', 'To Call'],
  '4 Restore flow': ['Creating pre-restore backup...', 'Restoring database from backup...'],
  '5 Dealership form': [
    'Dealership name is required',
    'Address is required',
    'Default email template is required',
    'Please fix the validation errors below',
  ],
  '5 Editable cell': ['Please enter a valid number', 'Phone number must be in format (xxxx) xxx xxx'],
  '5 Settings saving': ["You don't have permission to modify settings"],
  '5 Permission fetch': ['Invalid user ID'],
  '6 Email Settings': ['Access denied. Admin privileges required.'],
};

/** What is not in the catalogue, by the reason. What has arrived there goes from here. */
const exceptions: Record<string, readonly string[]> = {
  'Statuses are records of the company, there from the first start': specified['4 Deal status'],
  'The grid is a library and brings its own words': specified['5 Editable cell'],
  'Said by the server, which alone decides it': specified['5 Settings saving'],
};

const modules = import.meta.glob<Record<string, unknown>>(['./*.ts', '!./*.test.ts'], { eager: true });
const catalogue = new Set([...Object.values(modules), errorCodes].flatMap(textsIn).map(comparable));
const excepted = new Set(Object.values(exceptions).flat());

/** All texts below a value. A text that is put together is asked for with a placeholder for each part. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'function') return textsIn(asked(value as (...parts: string[]) => unknown));
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function asked(text: (...parts: string[]) => unknown): unknown {
  try {
    return text(...Array.from({ length: text.length }, () => '{}'));
  } catch {
    return null;
  }
}

/** Placeholders aside: `N`, `{name}` and what a formatter makes of one are the same. */
function comparable(text: string): string {
  return text.replaceAll(/\{\w*\}|\bNaN\b|\bN\b/g, '{}');
}

test.each(Object.entries(specified))('section %s', (_, texts) => {
  const missing = texts.filter((text) => !catalogue.has(comparable(text)) && !excepted.has(text));
  expect(missing).toEqual([]);
});

test.each(Object.entries(exceptions))('still an exception: %s', (_, texts) => {
  expect(texts.some((text) => !catalogue.has(comparable(text)))).toBe(true);
});
