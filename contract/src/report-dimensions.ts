/** What a report can be by. Plain values, so that a browser can have them without the schemas. */
export const reportDimensions = ['month', 'dealership', 'owner', 'item', 'status'] as const;
export type ReportDimension = (typeof reportDimensions)[number];
