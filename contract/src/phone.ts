/** The stored format of phone numbers: `(xxxx) xxx xxx` (docs/product/data-entry.md, Editing cells). */
export const PHONE = /^\(\d{4}\) \d{3} \d{3}$/;
export const PHONE_MESSAGE = 'Phone number must be in format (xxxx) xxx xxx';

const KIND_OF_PHONE = /^\s*(?:m|mob|mobile|c|cell|p|ph|phone|t|tel|telephone|h|home|w|work)\b\.?\s*:?/i;

/**
 * Returns ten digits in any spacing as '(0412) 345 678'; null for other texts. Country code 61 (with +, 00 or bare,
 * with or without the zero after it) becomes the leading 0. A nine-digit number gets the leading 0 that spreadsheets
 * drop. A label in front, as in 'Mob: 0412 345 678', is removed.
 */
export function readPhone(text: string): string | null {
  const digits = text
    .replaceAll(/\p{Cf}/gu, '')
    .replace(KIND_OF_PHONE, '')
    .replaceAll(/[\s()./\p{Pd}\u2212]/gu, '')
    .replace(/^(\+|00)?610?(?=\d{9}$)/, '0')
    .replace(/^(?=[2-9]\d{8}$)/, '0');
  const parts = /^(\d{4})(\d{3})(\d{3})$/.exec(digits);
  return parts && `(${parts[1]}) ${parts[2]} ${parts[3]}`;
}

/**
 * Returns the digits of a phone search, which may be incomplete. Country code 61 with + or 00 becomes the leading 0,
 * and so does a bare 61 in front of a complete number.
 */
export const searchDigits = (typed: string): string =>
  typed
    .replaceAll(/[^\d+]/g, '')
    .replace(/^(\+|00)610?(?=\d)|^610?(?=\d{9}$)/, '0')
    .replaceAll(/\D/g, '');
