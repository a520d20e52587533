/** Dimensions of a report. Plain values, which browsers import without the schemas. */
export const reportDimensions = ['month', 'dealership', 'owner', 'item', 'status'] as const;
export type ReportDimension = (typeof reportDimensions)[number];
