/**
 * The type of a value, which determines its format: money in AUD, a date `2026-11-20`, an instant in ISO 8601, shown in
 * the company's time zone. Null is an empty cell.
 */
type CellType = 'text' | 'number' | 'money' | 'percent' | 'date' | 'instant' | 'flag';

export type CellValue = string | number | boolean | null;

export type ExportColumn<R> = { header: string; type: CellType; of: (row: R) => CellValue };

/** A table whose rows are streamed in batches. */
export type Table<R> = { columns: readonly ExportColumn<R>[]; batches: AsyncIterable<readonly R[]> };
