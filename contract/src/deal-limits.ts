/**
 * Rows that one call adds, each for itself: few enough that its answer is there within a second. A plain value, so that a
 * browser can have it without the schemas.
 */
export const MOST_CREATED = 200;

/** Records of one call about many, where it is all of them or none (product.md section 3). */
export const MOST_AT_ONCE = 10_000;
