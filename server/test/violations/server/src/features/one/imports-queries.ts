import { findOther } from '../other/other.queries.ts';

export const wrong = findOther;
