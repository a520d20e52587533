// Part of the set-up scripts: two commands started at once on one clone take turns.
import { mkdirSync, readFileSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Process id and, on Linux, when it began: a number used again after a crash is not the same process, and one
 * that has ended but was not yet collected by its parent is no process any more.
 */
function identityOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [, state, ...rest] = stat.slice(stat.lastIndexOf(')')).split(' ');
    return `${pid}_${state === 'Z' ? 'ended' : rest[18]}`;
  } catch {
    return String(pid);
  }
}

function isAlive(identity) {
  const pid = Number.parseInt(identity, 10);
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== 'EPERM') return false;
  }
  return identityOf(pid) === identity;
}

/** The holders' identities, joined by '+'; undefined when nobody holds the lock. */
function readHolders(lock) {
  try {
    return basename(readlinkSync(lock));
  } catch {
    return undefined;
  }
}

/** A symbolic link appears with its content in one step, which a file does not. */
function tryToTake(lock, identity) {
  try {
    symlinkSync(identity, lock, 'junction');
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function removeDead(lock, dead) {
  const aside = `${lock}.${process.pid}`;
  try {
    renameSync(lock, aside);
    if (readHolders(aside) === dead) rmSync(aside);
    else renameSync(aside, lock);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}

/**
 * Does the work while nobody else does such work in this clone. The lock of a dead process is taken over, but
 * not before the tools it started have ended too.
 *
 * @template T
 * @param {string} root
 * @param {(alsoHeldBy: (pid: number) => void) => Promise<T>} work reports the tools it starts
 * @returns {Promise<T>}
 */
export async function exclusively(root, work) {
  const folder = join(root, '.cache');
  mkdirSync(folder, { recursive: true });
  const lock = join(folder, 'setup.lock');
  const self = identityOf(process.pid);
  for (let told = false; !tryToTake(lock, self);) {
    const holders = readHolders(lock);
    if (holders?.split('+').some(isAlive)) {
      if (!told) console.log('Another set-up is running in this folder; waiting for it …');
      told = true;
      await pause(100);
    } else if (holders !== undefined) {
      removeDead(lock, holders);
    }
  }
  const alsoHeldBy = (pid) => {
    const next = `${lock}.${process.pid}`;
    symlinkSync(`${self}+${identityOf(pid)}`, next, 'junction');
    renameSync(next, lock);
  };
  try {
    return await work(alsoHeldBy);
  } finally {
    rmSync(lock, { force: true });
  }
}
