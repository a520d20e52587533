/** Ids of statuses with a meaning of their own, which do not change when the statuses are renamed. */
export const fixedStatuses = {
  deal: '01930000-0000-7000-8000-000000000003',
  noDeal: '01930000-0000-7000-8000-000000000004',
  toCall: '01930000-0000-7000-8000-000000000006',
} as const;
