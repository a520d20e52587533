/** Maximum amount in AUD: that of numeric(12,2). */
export const MAX_MONEY = 9_999_999_999.99;
