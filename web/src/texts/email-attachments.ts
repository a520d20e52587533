import { formatPlural } from '../platform/formats.ts';

export const texts = {
  title: 'Attachments',
  list: 'Attached files',
  sum: (size: string, limit: string) => `${size} of ${limit}`,
  refused: (reason: string) => `${reason.replace(/\.?$/, '.')} This file will not be sent.`,
  ofRow: 'Files of the row',
  wait: 'Wait until the files are uploaded',
  count: (count: number) => formatPlural(count, 'attachment'),
  download: (name: string, size: string) => `Download ${name}, ${size}`,
} as const;
