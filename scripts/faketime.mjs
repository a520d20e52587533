// Part of `npm test`: libfaketime, with which a test sets another time for a program.
import { existsSync } from 'node:fs';
import { installFromDebian } from './debian.mjs';

/** Installs libfaketime if possible. Without it the tests that need it are skipped. */
export function provideFaketime() {
  if (!existsSync('/usr/lib/x86_64-linux-gnu/faketime')) installFromDebian('libfaketime', 'libfaketime');
}
