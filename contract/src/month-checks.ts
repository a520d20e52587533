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
