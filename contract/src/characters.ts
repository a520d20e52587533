/**
 * Returns the number of code points, as PostgreSQL counts them: an emoji is one, though `length` counts two units. A
 * joined emoji counts as its parts.
 */
export const countCharacters = (text: string): number => Array.from(text).length;

export const MAX_SEARCH_LENGTH = 120;

/** Returns the first `max` code points of a text. */
export const firstCharacters = (text: string, max: number): string =>
  isAtMost(text, max) ? text : Array.from(text).slice(0, max).join('');

/** Counts code points only if the length in UTF-16 units does not decide. */
export const isAtMost = (text: string, max: number): boolean =>
  text.length <= max || (text.length <= max * 2 && countCharacters(text) <= max);

/** Returns the key by which names and deal numbers are compared: case is ignored. */
export const caselessKey = (text: string): string => text.toLowerCase();

/** Whether a text has a character with a glyph. Spaces, joiners, fillers and blank Braille cells have none. */
export const hasVisibleText = (text: string): boolean =>
  /[^\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);

/**
 * Returns a text in its stored form. Special spaces and invisible marks, as copied from web pages and spreadsheets,
 * make equal texts differ for search and comparison: spaces are replaced by ordinary ones, marks are removed. Direction
 * overrides are removed because they would also reverse the sentence around the text.
 */
export const normaliseText = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/\p{Zs}/gu, ' ')
    .replaceAll(/[\u00AD\u200B\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/g, '');
