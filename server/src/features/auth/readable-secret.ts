import { randomInt } from 'node:crypto';

/** Excludes characters that look alike. */
const CHARACTERS = 'abcdefghjkmnpqrstuvwxyz23456789';

const group = () => Array.from({ length: 6 }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join('');

/** Returns a secret of 89 bits that is easy to read out and type: three groups of six. */
export const createReadableSecret = (): string => `${group()}-${group()}-${group()}`;
