/** Texts of the marks of numbers that other rows have too. */
export const texts = {
  customerNumber: (other: string) => `Same phone as ${other}: open that row`,
  dealNumber: (other: string) => `Same deal number as ${other}: open that row`,
};
