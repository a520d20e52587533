/** Converts digits such as `22` to a number. Returns NaN for other texts, such as `-22`, `2.2`, `2e1` or ''. */
export const wholeNumberOf = (typed: number | string): number =>
  /^\d+$/.test(String(typed).trim()) ? Number(typed) : Number.NaN;
