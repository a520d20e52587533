// Part of the set-up scripts: serialises two commands started at once in one clone.
import { mkdirSync, readFileSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Returns process id and, on Linux, its start time: a reused id is another process, and a zombie has ended. */
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

/** Returns the identities of the lock's holders, joined by '+'; undefined if the lock is free. */
function readHolders(lock) {
  try {
    return basename(readlinkSync(lock));
  } catch {
    return undefined;
  }
}

/** A symbolic link is created with its content atomically, unlike a file. */
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
 * Runs the work exclusively in this clone. The lock of a dead process is taken over after the tools that it started
 * have ended too.
 * @template T
 * @param {string} root
 * @param {(addHolder: (pid: number) => void) => Promise<T>} work reports the tools it starts
 * @returns {Promise<T>}
 */
export async function runExclusively(root, work) {
  const folder = join(root, '.cache');
  mkdirSync(folder, { recursive: true });
  const lock = join(folder, 'setup.lock');
  const self = identityOf(process.pid);
  for (let isAnnounced = false; !tryToTake(lock, self);) {
    const holders = readHolders(lock);
    if (holders?.split('+').some(isAlive)) {
      if (!isAnnounced) console.log('Another set-up is running in this folder; waiting for it …');
      isAnnounced = true;
      await pause(100);
    } else if (holders !== undefined) {
      removeDead(lock, holders);
    }
  }
  const addHolder = (pid) => {
    const next = `${lock}.${process.pid}`;
    symlinkSync(`${self}+${identityOf(pid)}`, next, 'junction');
    renameSync(next, lock);
  };
  try {
    return await work(addHolder);
  } finally {
    rmSync(lock, { force: true });
  }
}
