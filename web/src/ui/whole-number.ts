/** The number that was typed in digits: `22`. NaN for anything else, such as `-22`, `2.2`, `2e1` or nothing. */
export const wholeNumberOf = (typed: number | string): number =>
  /^\d+$/.test(String(typed).trim()) ? Number(typed) : Number.NaN;
