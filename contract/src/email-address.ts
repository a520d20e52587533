/** Maximum length of an address (RFC 5321). */
export const MAX_EMAIL_LENGTH = 254;

/** An email address without display name, group or quoted part. A plain value, so that pages can use it without zod. */
export const EMAIL =
  /^(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/;
