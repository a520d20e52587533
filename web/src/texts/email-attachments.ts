import { formatPlural } from '../platform/formats.ts';

/** Texts of email attachments. */
export const texts = {
  title: 'Attachments',
  attach: 'Attach files',
  dropHere: 'or drop them here',
  list: 'Attached files',
  sum: (size: string, limit: string) => `${size} of ${limit}`,
  uploading: (name: string) => `Uploading ${name}`,
  remove: (name: string) => `Remove ${name}`,
  refused: (reason: string) => `${reason.replace(/\.?$/, '.')} This file will not be sent.`,
  empty: 'The file is empty',
  tooLarge: (limit: string) => `The files may have at most ${limit} together`,
  tooMany: (most: number) => `At most ${most} files can be attached`,
  wait: 'Wait until the files are uploaded',
  count: (count: number) => formatPlural(count, 'attachment'),
  download: (name: string, size: string) => `Download ${name}, ${size}`,
} as const;
