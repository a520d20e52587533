/**
 * In a file of its own without zod: some forms and imports validate texts themselves, and `characters.ts` is part of
 * the first load.
 */
export const tooLongMessage = (max: number): string => `Must be at most ${max} characters`;
