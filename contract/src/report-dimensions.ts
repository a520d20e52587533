/** Dimensions of a report. Plain values, which browsers import without the schemas. */
export const reportDimensions = ['month', 'dealership', 'owner', 'item', 'status'] as const;
export type ReportDimension = (typeof reportDimensions)[number];

/** The column that a viewer must see to group by a dimension. */
export const columnOfDimension = {
  dealership: 'dealershipId',
  owner: 'owner',
  item: 'items',
  status: 'status',
} as const;
