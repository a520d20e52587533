import { texts } from '../../texts/statuses.ts';

/** The offered colours; any other can be typed. */
export const palette = Object.entries(texts.paletteNames).map(([color, name]) => ({ color, name }));

/** Returns a typed colour as `#rrggbb`; undefined: invalid. Accepts `2F6FB2` and `#26b` as well. */
export function colorOf(typed: string): string | undefined {
  const digits = typed.trim().replace(/^#/, '').toLowerCase();
  if (/^[\da-f]{6}$/.test(digits)) return `#${digits}`;
  return /^[\da-f]{3}$/.test(digits) ? `#${digits.replaceAll(/./g, '$&$&')}` : undefined;
}
