import { MAX_CONTACTS, MAX_IMPORTED_DEALERSHIPS } from '@forecourt/contract/dealership-limits';
import { formatCount, formatPlural } from '../platform/formats.ts';
import { texts as dealerships } from './dealerships.ts';

export const texts = {
  open: 'Import',
  title: 'Import Dealerships',
  note: 'Several lines of the same dealership add contacts to it. Nothing is written before you confirm.',
  fields: {
    name: dealerships.name,
    address: dealerships.address,
    template: dealerships.defaultTemplate,
    contactName: 'Contact name',
    contactEmail: 'Contact email',
    contactTemplate: 'Contact template',
    to: dealerships.contactTo,
    cc: dealerships.contactCc,
  },
  usualTemplate: 'Template for lines without one',
  usualTemplateHint: 'For dealerships whose line names no default template.',

  submit: (count: number) => `Import ${formatPlural(count, 'dealership')}`,
  submitNothing: 'Import',
  chooseFirst: 'Choose a file or paste rows first',
  correctFirst: 'Correct the marked cells first',
  nothingNew: 'There is no dealership in this that is not here already',
  tooMany: `At most ${formatCount(MAX_IMPORTED_DEALERSHIPS)} dealerships can be imported at once`,
  willAdd: (count: number, contacts: number) =>
    `${formatPlural(count, 'dealership')} with ${formatPlural(contacts, 'contact')} will be added`,
  leftOut: (count: number) => `${formatPlural(count, 'dealership')} here already, left out`,
  toCorrect: (count: number) => `${formatPlural(count, 'cell')} to correct`,
  exists: 'Already here, left out',

  noTemplate: 'There is no template of this name',
  differs: (line: number) => `Differs from line ${line}`,
  yesOrNo: 'Enter yes or no',
  tooManyContacts: `A dealership has at most ${MAX_CONTACTS} contacts`,

  failed: 'Failed to import dealerships',
  done: (count: number) => `${formatPlural(count, 'dealership')} imported successfully`,
} as const;
