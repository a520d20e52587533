/** Months of the trend: the current one and the twelve before it, a whole year and the same month of the previous one. */
export const TREND_MONTHS = 13;
