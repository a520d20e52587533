import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/** 0 to 19; 10 is low, but not starved. */
const NICENESS = 10;

export function lowerPriority(): void {
  try {
    // On Linux every thread has its own priority; this is the id of the current one.
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), NICENESS);
  } catch {
    // Other systems keep the normal priority.
  }
}
