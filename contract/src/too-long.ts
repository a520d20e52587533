/**
 * The message for a text of more than `max` characters. Without zod, because some forms and imports validate texts
 * themselves, and not in `characters.ts`, which is part of the first load.
 */
export const tooLongMessage = (max: number): string => `Must be at most ${max} characters`;
