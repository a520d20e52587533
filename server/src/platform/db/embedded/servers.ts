import { execFile } from 'node:child_process';
import { readdir, readFile, readlink, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

/** How hard to ask, and for how long (ms): fast shutdown, immediate shutdown, the end. Under 10 s together. */
const stages = [
  ['SIGINT', 5000],
  ['SIGQUIT', 2000],
  ['SIGKILL', 2000],
] as const;

const pollInterval = 10;

async function readPidFile(cluster: string): Promise<{ postmaster: number; socketFolder: string }> {
  const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  return { postmaster: Number(lines[0]), socketFolder: lines[4] ?? '' };
}

/** Every server process works in the cluster's folder, so a recycled process id is never mistaken for one. */
async function isServerOf(cluster: string, pid: number | string): Promise<boolean> {
  const [folder, program] = await Promise.all(
    ['cwd', 'exe'].map((link) => readlink(`/proc/${pid}/${link}`).catch(() => '')),
  );
  return folder === cluster && basename(program?.replace(' (deleted)', '') ?? '') === 'postgres';
}

/** Process ids of the servers of a cluster: all of them on Linux, elsewhere the postmaster. */
async function serversOf(cluster: string): Promise<number[]> {
  if (process.platform === 'linux') {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const ours = await Promise.all(pids.map((pid) => isServerOf(cluster, pid)));
    return pids.filter((_, index) => ours[index]).map(Number);
  }
  const { postmaster } = await readPidFile(cluster);
  if (!(postmaster > 0)) return [];
  const answer = await promisify(execFile)('ps', ['-o', 'command=', '-p', String(postmaster)]).catch(
    () => undefined,
  );
  return answer?.stdout.includes('postgres') && answer.stdout.includes(cluster) ? [postmaster] : [];
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended in the meantime.
  }
}

/**
 * Ends every server of a cluster and returns when they are gone: an orderly stop of our own, the orphan of an
 * app killed with -9, or the backends of a killed postmaster, which would still write into the folder. The
 * caller holds the folder's lock.
 *
 * @param cluster real path of the cluster's folder
 * @returns the socket folder they used, or '' when there was no trace of a server
 */
export async function endServers(cluster: string): Promise<string> {
  const { postmaster, socketFolder } = await readPidFile(cluster);
  let servers = await serversOf(cluster);
  for (const [name, patience] of stages) {
    const deadline = performance.now() + patience;
    const orderly = name === 'SIGINT';
    if (orderly && !servers.includes(postmaster)) continue;
    for (const pid of orderly ? [postmaster] : servers) signal(pid, name);
    while (servers.length > 0 && performance.now() < deadline) {
      await pause(pollInterval);
      servers = await serversOf(cluster);
    }
  }
  if (process.platform === 'linux' && servers.length === 0) {
    // With no server left these are leftovers, and their number may belong to somebody else by now.
    await rm(join(cluster, 'postmaster.pid'), { force: true });
    if (socketFolder) await rm(join(socketFolder, '.s.PGSQL.5432.lock'), { force: true });
  }
  return socketFolder;
}
