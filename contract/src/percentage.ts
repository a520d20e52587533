/** Whether a number is from 0 to 100 with at most 2 decimals (docs/product/settings.md, Known settings). */
export const isPercentage = (value: number): boolean =>
  value >= 0 && value <= 100 && Number(value.toFixed(2)) === value;
