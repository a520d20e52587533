/**
 * The checks of a month, in their order on the screen (docs/product/month-close.md, Checks). Plain values, which
 * browsers import without the schemas.
 */
export const monthChecks = [
  'openStatus',
  'dealNotEntered',
  'saleMissing',
  'costMissing',
  'itemsMissing',
  'dealNumberMissing',
  'phoneMissing',
  'notEmailed',
  'changedSinceEmailed',
  'emailFailed',
  'duplicates',
  'farFromPrice',
  'ownerInactive',
  'dealershipInactive',
  'rateMissing',
] as const;
export type MonthCheck = (typeof monthChecks)[number];

/** The names of the checks, on the screen and in statements. */
export const monthCheckLabels: Readonly<Record<MonthCheck, string>> = {
  openStatus: 'Status still open',
  dealNotEntered: 'Deal not entered',
  saleMissing: 'Sale amount missing',
  costMissing: 'Cost amount missing',
  itemsMissing: 'Items missing',
  dealNumberMissing: 'Deal number missing',
  phoneMissing: 'Phone number missing',
  notEmailed: 'Not emailed',
  changedSinceEmailed: 'Changed since emailed',
  emailFailed: 'Email failed',
  duplicates: 'Possible duplicates',
  farFromPrice: 'Sale far from the price of its items',
  ownerInactive: 'Owner is inactive',
  dealershipInactive: 'Dealership is inactive',
  rateMissing: 'Commission rate missing',
};
