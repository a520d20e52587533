/** The stored format of phone numbers: `(xxxx) xxx xxx` (docs/product/data-entry.md, Editing cells). */
export const PHONE = /^\(\d{4}\) \d{3} \d{3}$/;
export const PHONE_MESSAGE = 'Phone number must be in format (xxxx) xxx xxx';

/**
 * Returns the digits of a complete or partial phone search. The country code 61 with + or 00 becomes the leading 0, as
 * in an edited cell; so does a bare 61 before a complete number.
 */
export const searchDigits = (typed: string): string =>
  typed
    .replaceAll(/[^\d+]/g, '')
    .replace(/^(\+|00)610?(?=\d)|^610?(?=\d{9}$)/, '0')
    .replaceAll(/\D/g, '');
