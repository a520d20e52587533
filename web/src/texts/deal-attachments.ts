import type { UsedSpace } from '@forecourt/contract/deal-attachments';
import { formatPlural, formatSize } from '../platform/formats.ts';

export const texts = {
  open: 'Attachments…',
  title: 'Attachments',
  titleOf: (customer: string) => `Attachments of ${customer}`,
  list: 'Files of this row',
  add: 'Add files',
  marked: (files: number) => formatPlural(files, 'file'),
  empty: 'No files yet',
  emptyNote: 'Add the contract, a photo or any other file of this row.',
  loadFailed: 'The files could not be loaded',
  space: ({ name, used, limit }: UsedSpace) =>
    `${name === null ? 'The files of all rows' : 'Your files'} use ${formatSize(used)} of ${formatSize(limit)}. Files above that limit are refused.`,
  refused: (reason: string) => `${reason.replace(/\.?$/, '.')} This file was not added.`,
  addedBy: (name: string, time: string) => `${name}, ${time}`,
  download: (name: string) => `Download ${name}`,
  downloadFailed: 'The file could not be downloaded',
  show: (name: string) => `Show ${name}`,
  imageFailed: 'The image could not be loaded',
  removeTitle: 'Remove file',
  removeQuestion: (name: string) => `Remove ${name} from this row? This action cannot be undone.`,
  remove: 'Remove',
  removeFailed: 'The file could not be removed',
  close: 'Close',
  leaveTitle: 'Files are being uploaded',
  leaveQuestion: 'If you leave this page now, files that are not uploaded yet are not added.',
  leave: 'Leave',
} as const;
