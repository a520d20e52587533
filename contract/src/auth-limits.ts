/** Length of a new password, in code points (docs/product/people-and-permissions.md, Passwords). */
export const MIN_PASSWORD_LENGTH = 12;
export const MAX_PASSWORD_LENGTH = 200;

/** Hours during which a temporary password can be used. */
export const TEMPORARY_PASSWORD_HOURS = 24;

export const MAX_USER_NAME_LENGTH = 120;
