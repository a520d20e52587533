/** The first characters of a text, counted as code points: never half of one, which jsonb would not take. */
export const cut = (text: string, length: number): string =>
  Array.from(text).slice(0, length).join('').toWellFormed();
