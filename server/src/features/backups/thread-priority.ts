import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/** 0 to 19: low priority, without starvation. */
const NICENESS = 10;

export function lowerPriority(): void {
  try {
    // On Linux priorities belong to threads, and this is the id of the current one.
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), NICENESS);
  } catch {
    // Elsewhere the priority is unchanged.
  }
}
