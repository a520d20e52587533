/** Maximum of numeric(12,2), in AUD. */
export const MAX_MONEY = 9_999_999_999.99;
