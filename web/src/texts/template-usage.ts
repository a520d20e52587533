import { formatCount, formatPlural } from '../platform/formats.ts';

const uses = (count: number): string => (count === 0 ? 'Not used' : formatPlural(count, 'dealership'));

export const texts = {
  title: 'Where it is used',
  usedBy: 'Used by',
  uses,
  usesOf: (name: string, count: number) => `${uses(count)}. Where ${name} is used`,
  draftUsed: (count: number) =>
    `${formatPlural(count, 'dealership')} ${count === 1 ? 'uses' : 'use'} this template. No email is sent with it while it is a draft.`,
  loading: 'Loading...',
  failed: 'Where the template is used could not be loaded',

  dealerships: 'Dealerships',
  noDealership: 'No dealership has it as its default, and no contact names it.',
  isDefault: 'Default template',
  contacts: (names: readonly string[]) => `For ${names.join(', ')}`,
  inactive: 'Inactive',
  others: (count: number) =>
    `${formatPlural(count, 'dealership')} that you do not see ${count === 1 ? 'uses' : 'use'} it, too.`,

  emails: 'Emails',
  neverSent: 'Nothing was sent with it yet.',
  sent: (count: number, isCapped: boolean) =>
    isCapped ? `More than ${formatCount(count)} emails sent` : `${formatPlural(count, 'email')} sent`,
  last: (when: string) => `The last one on ${when}`,
  waiting: (count: number, merges: number) =>
    `${formatPlural(count, 'email')} still ${count === 1 ? 'waits' : 'wait'}${
      merges === 0 ? '' : ` in ${formatPlural(merges, 'merge')}`
    }. What waits goes out as it was written.`,
  history: 'Show in Email History',

  cannotDelete: (name: string) =>
    `“${name}” is in use and cannot be deleted. Choose another template there first.`,
} as const;
