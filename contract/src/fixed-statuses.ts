/** Ids of the statuses that the program depends on. They stay the same when a status is renamed. */
export const fixedStatuses = {
  deal: '01930000-0000-7000-8000-000000000003',
  noDeal: '01930000-0000-7000-8000-000000000004',
  dealNotEntered: '01930000-0000-7000-8000-000000000005',
  toCall: '01930000-0000-7000-8000-000000000006',
} as const;
