/** The one form in which phone numbers are kept: `(xxxx) xxx xxx` (spec.md section 5). */
export const PHONE = /^\(\d{4}\) \d{3} \d{3}$/;
export const PHONE_MESSAGE = 'Phone number must be in format (xxxx) xxx xxx';
