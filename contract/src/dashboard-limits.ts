/** Months of the trend: the current month and the twelve before it, so that it includes the same month of last year. */
export const TREND_MONTHS = 13;
