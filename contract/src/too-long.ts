/** Without zod, for forms and imports. Not in `characters.ts`, which is part of the first load. */
export const tooLongMessage = (max: number): string => `Must be at most ${max} characters`;
