/** Days after which an export is deleted (docs/product/exports-and-reports.md, Exports). */
export const EXPORT_RETENTION_DAYS = 7;
