// Part of `npm test`: libfaketime, which lets a test tell a program another time than it is.
import { existsSync } from 'node:fs';
import { installFromDebian } from './debian.mjs';

/** Brings it where that is possible. Without it the tests that need it are skipped. */
export function provideFaketime() {
  if (!existsSync('/usr/lib/x86_64-linux-gnu/faketime')) installFromDebian('libfaketime', 'libfaketime');
}
