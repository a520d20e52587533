import { errorCatalogue } from '../platform/error-catalogue.ts';

export const texts = {
  deal: 'Try it on',
  dealPlaceholder: 'Search a deal by name, number or phone',
  noDealFound: 'No deal found',
  next: 'Next deal (Alt+Page Down)',
  noNext: 'This is the last deal',
  previous: 'Previous deal (Alt+Page Up)',
  noPrevious: 'This is the first deal',
  filling: 'Filled in with',
  fillings: { deal: 'This deal', longest: 'Longest values', empty: 'Empty values' },
  noDeals: 'No deal to try it on',
  noDealsNext: 'Type a deal in Data Entry, then see here what its dealership would receive.',
  openDataEntry: 'Open Data Entry',
  problems: 'In the way of sending',
  dealsFailed: 'Deals could not be loaded',
  failed: errorCatalogue.templates.preview,
  untitled: 'Untitled',
  noSubject: '(no subject)',

  sendTest: 'Send test to me',
  testUnsaved: 'Save the template first: a test is made from what is saved',
  testDraft: 'A draft cannot be sent. Activate the template first',
  testFailed: (reason: string) => `${errorCatalogue.templates.send}: ${reason}`,
} as const;
