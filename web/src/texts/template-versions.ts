import { isCustomLink } from '@forecourt/contract/custom-field-types';
import type { LinkedData } from '@forecourt/contract/email-templates';
import { linkNames } from '@forecourt/contract/variable-links';

export const texts = {
  title: 'Versions',
  failed: 'Failed to fetch versions',
  version: (number: number) => `Version ${number}`,
  current: 'Current',
  savedBy: (when: string, name: string) => `${when} by ${name}`,
  restoredFrom: (number: number) => `Brings back version ${number}`,
  compare: 'Compare',
  compareNamed: (number: number) => `Compare version ${number}`,

  compareTitle: 'Compare versions',
  before: 'Before',
  after: 'After',
  loading: 'Loading...',
  contentFailed: 'The versions could not be loaded',
  name: 'Name',
  subject: 'Subject',
  body: 'Message',
  variables: 'Variables',
  nothing: 'None',
  same: 'Both are the same.',
  onlyForm: 'Both have the same text; they differ in formatting.',
  legend: 'Removed words are crossed out, added words are underlined.',
  restore: (number: number) => `Restore version ${number}`,
  restoreUnsaved: 'Save your changes or leave without saving first',
  restored: (number: number) => `Version ${number} is back, saved as a new version`,
  restoreFailed: 'The version could not be restored',
  /** Another user has saved a newer version. */
  changedMeanwhile: 'Somebody else has saved this template in the meantime. See what is new, then restore.',

  onlyWith: (key: string) => `Only where {{${key}}} has a value:`,
  image: (alt: string) => `[Image: ${alt}]`,
  filledFrom: (field: LinkedData) =>
    `filled in from ${isCustomLink(field) ? 'a custom field' : linkNames[field]}`,
  byDefault: (value: string) => `“${value}” by default`,
  required: 'required',
} as const;
