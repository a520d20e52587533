import { errorCodes } from '@forecourt/contract/errors';
import { expect, test } from 'vitest';

/**
 * Texts and labels that must not change, by screen, and failure messages (docs/product/screens.md, Texts). `N` is a
 * placeholder of a count, {name} of a text.
 */
const fixedTexts = {
  'Route guard rules': ['Admin access required'],
  'Application shell': ['Sign Out', 'User', 'U', 'Last login: {when}', 'Never', 'System', 'Light', 'Dark'],
  'Dealership Settings': [
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
  'Share dialog': [
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
  'Email Settings': [
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
  'General Settings': [
    'My Settings',
    'Commission Settings',
    'Data Entry Settings',
    'Only administrators can modify settings.',
  ],
  Backups: [
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
  'Deal status': ['Entered', 'Called', 'Deal', 'No deal', 'Deal Not Entered', 'To Call'],
  'Restore flow': ['Creating pre-restore backup...', 'Restoring database from backup...'],
  'Dealership form': [
    'Dealership name is required',
    'Address is required',
    'Default email template is required',
    'Please fix the validation errors below',
  ],
  'Editable cell': ['Please enter a valid number', 'Phone number must be in format (xxxx) xxx xxx'],
  'Settings saving': ["You don't have permission to modify settings"],
  'Permission fetch': ['Invalid user ID'],
  'Email Settings, without the role': ['Access denied. Admin privileges required.'],
  'Failed calls': [
    'Session expired. Please log in again.',
    'Password change required',
    'Access denied',
    'Invalid request',
    'Resource not found',
    'Server error. Please try again later.',
    'Error: N',
    'Request timeout. Please try again.',
    'Network error. Please check your connection.',
  ],
  'Failed calls: permissions': [
    'Failed to fetch permissions',
    'Failed to fetch user permissions',
    'Failed to update permissions',
    'Invalid user ID',
    'Too many permission requests, please wait',
  ],
  'Failed calls: sharing': [
    'Failed to update sharing settings',
    'Failed to transfer ownership',
    'Failed to update dealership status',
  ],
  'Failed calls: Dealership Settings': [
    'Failed to load dealership data. Please refresh the page.',
    "You don't have permission to access dealership settings",
    'Failed to save dealership. Please try again.',
    'Dealership deleted successfully',
    'Failed to delete dealership. Please try again.',
    'Dealership activated successfully',
    'Dealership deactivated successfully',
    'Successfully activated N dealership(s)',
    'Successfully deactivated N dealership(s)',
  ],
  'Failed calls: email templates': [
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
  'Failed calls: users': [
    'Failed to fetch users',
    'Failed to create user',
    'Failed to update user',
    'Failed to reset password',
  ],
  'Failed calls: Email Settings': [
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
  'Failed calls: settings': [
    'Failed to save commission settings',
    'Failed to save data entry settings',
    'Failed to fetch settings',
    'Failed to update setting: {name}',
    'Failed to create setting',
    'Failed to delete setting: {name}',
    'Failed to initialize default settings',
  ],
  'Failed calls: backups': [
    'Failed to fetch backups',
    'Failed to create backup',
    'Failed to download backup',
    'Failed to upload backup',
    'Failed to restore from backup',
    'Failed to delete backup',
    'Failed to save SSH settings',
    'Connection test failed',
    'SSH connection test failed: {reason}',
    'Failed to fetch scheduler status',
    'Failed to start backup scheduler',
    'Failed to stop backup scheduler',
    'Failed to trigger manual backup',
  ],
};

/** Texts that are not in the catalogue, by reason. Remove a text here once it is there. */
const exceptions: Record<string, readonly string[]> = {
  'Statuses are records of the company, there from the first start': fixedTexts['Deal status'],
  'The grid is a library and brings its own words': fixedTexts['Editable cell'],
  'Said by the server, which alone decides it': fixedTexts['Settings saving'],
};

const unshown: Record<string, readonly string[]> = {
  'Dealership Settings has a sentence of its own for the same failure': [
    'Failed to fetch dealerships',
    'Failed to create dealership',
    'Failed to update dealership',
    'Failed to delete dealership',
  ],
  'Only what can be shared has a share button': ['Unsupported resource type'],
  'Email Settings lists everybody at once and has one sentence for saving': [
    'Failed to update email settings',
    'Failed to fetch user settings',
    'Failed to update user settings',
  ],
};

const modules = import.meta.glob<Record<string, unknown>>(
  ['./*.ts', '!./*.test.ts', '../platform/error-catalogue.ts'],
  { eager: true },
);
const catalogue = new Set([...Object.values(modules), errorCodes].flatMap(textsIn).map(comparable));
const excepted = new Set(Object.values(exceptions).flat());

/** Returns all texts below a value. Functions are called with a placeholder for each parameter. */
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

/** Normalises placeholders: `N`, `{name}` and a formatted placeholder are equal. */
function comparable(text: string): string {
  return text.replaceAll(/\{\w*\}|\bNaN\b|\bN\b/g, '{}');
}

test.each(Object.entries(fixedTexts))(
  'the catalogues have the texts of the specification: %s',
  (_, texts) => {
    const missing = texts.filter((text) => !catalogue.has(comparable(text)) && !excepted.has(text));
    expect(missing).toEqual([]);
  },
);

test.each(Object.entries(exceptions))('a text is still an exception: %s', (_, texts) => {
  expect(texts.some((text) => !catalogue.has(comparable(text)))).toBe(true);
});

test.each(Object.entries(unshown))('no failure message is one that no screen shows: %s', (_, texts) => {
  expect(texts.filter((text) => catalogue.has(text))).toEqual([]);
});
