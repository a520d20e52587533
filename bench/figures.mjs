// Statistics of measured times, and printing.

export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Returns the range of the rounds in percent of their median. Smaller differences are not significant. */
export const spread = (numbers) => (100 * (Math.max(...numbers) - Math.min(...numbers))) / median(numbers);

const grouped = new Intl.NumberFormat('en-AU', { maximumFractionDigits: 0 });
export const count = (number) => grouped.format(number);

/** Prints rows below a heading as one Markdown table. */
export function printTable(heading, rows) {
  console.log(`\n| ${heading.join(' | ')} |\n|${heading.map(() => '---').join('|')}|`);
  for (const row of rows) console.log(`| ${row.join(' | ')} |`);
}
