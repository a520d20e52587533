/** Returns the first characters of a text, counted as code points: half of a surrogate pair would be rejected by jsonb. */
export const truncate = (text: string, length: number): string =>
  Array.from(text).slice(0, length).join('').toWellFormed();
