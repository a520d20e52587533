/** The one form in which phone numbers are kept: `(xxxx) xxx xxx` (spec.md section 5). */
export const PHONE = /^\(\d{4}\) \d{3} \d{3}$/;
export const PHONE_MESSAGE = 'Phone number must be in format (xxxx) xxx xxx';

/**
 * The digits of what somebody looks for by phone, however far they have typed: country code 61 with + or 00 becomes the
 * leading 0, as it does where a number is typed into a cell, and so does a bare 61 before a whole number.
 */
export const soughtDigits = (typed: string): string =>
  typed
    .replaceAll(/[^\d+]/g, '')
    .replace(/^(\+|00)610?(?=\d)|^610?(?=\d{9}$)/, '0')
    .replaceAll(/\D/g, '');
