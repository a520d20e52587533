import { randomInt } from 'node:crypto';

/** No characters that look alike. */
const CHARACTERS = 'abcdefghjkmnpqrstuvwxyz23456789';

const group = () => Array.from({ length: 6 }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join('');

/** Returns a secret that is easy to read out and type: three groups of six, 89 bits. */
export const createReadableSecret = (): string => `${group()}-${group()}-${group()}`;
