/**
 * The type of a value decides its format: money in AUD, a date `2026-11-20`, an instant in ISO 8601, which is written
 * in the company's time zone.
 */
type CellType = 'text' | 'number' | 'money' | 'percent' | 'date' | 'instant' | 'flag';

/** Null and undefined are empty cells. */
export type CellValue = string | number | boolean | null | undefined;

export type ExportColumn<R> = { header: string; type: CellType; of: (row: R) => CellValue };

/** A table whose rows are streamed in batches. */
export type Table<R> = { columns: readonly ExportColumn<R>[]; batches: AsyncIterable<readonly R[]> };
