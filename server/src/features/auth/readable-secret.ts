import { randomInt } from 'node:crypto';

/** No character that looks like another one. */
const CHARACTERS = 'abcdefghjkmnpqrstuvwxyz23456789';

const group = () => Array.from({ length: 6 }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join('');

/** A secret that a person can read out and type: three groups of six, 89 bits. */
export const readableSecret = (): string => `${group()}-${group()}-${group()}`;
