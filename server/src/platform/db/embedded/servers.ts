import { execFile } from 'node:child_process';
import { readdir, readFile, readlink, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Signals and timeouts (ms) in order: fast shutdown, immediate shutdown, kill. Under 10 s in total. */
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

/** Whether a process belongs to the cluster, by its working folder, because process ids are reused. */
async function isServerOf(cluster: string, pid: number | string): Promise<boolean> {
  const [folder, program] = await Promise.all(
    ['cwd', 'exe'].map((link) => readlink(`/proc/${pid}/${link}`).catch(() => '')),
  );
  return folder === cluster && basename(program?.replace(' (deleted)', '') ?? '') === 'postgres';
}

/** Returns the process ids of a cluster's servers: all of them on Linux, elsewhere only the postmaster. */
async function serversOf(cluster: string): Promise<number[]> {
  if (process.platform === 'linux') {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const belongs = await Promise.all(pids.map((pid) => isServerOf(cluster, pid)));
    return pids.filter((_, index) => belongs[index]).map(Number);
  }
  const { postmaster } = await readPidFile(cluster);
  if (!(postmaster > 0)) return [];
  const output = await promisify(execFile)('ps', ['-o', 'command=', '-p', String(postmaster)]).catch(
    () => undefined,
  );
  return output?.stdout.includes('postgres') && output.stdout.includes(cluster) ? [postmaster] : [];
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has ended in the meantime.
  }
}

/**
 * Ends every server of a cluster and waits for their exit: after a regular stop, and for the orphans of a killed
 * process or postmaster, which would still write into the folder. The caller has locked the folder.
 * @param cluster real path of the cluster's folder
 * @returns the socket folder of the servers, or '' if there was none
 */
export async function endServers(cluster: string): Promise<string> {
  const { postmaster, socketFolder } = await readPidFile(cluster);
  let servers = await serversOf(cluster);
  for (const [name, timeout] of stages) {
    const deadline = performance.now() + timeout;
    const orderly = name === 'SIGINT';
    if (orderly && !servers.includes(postmaster)) continue;
    for (const pid of orderly ? [postmaster] : servers) signal(pid, name);
    while (servers.length > 0 && performance.now() < deadline) {
      await pause(pollInterval);
      servers = await serversOf(cluster);
    }
  }
  if (process.platform === 'linux' && servers.length === 0) {
    // Without a server these files are stale, and another program may have their process id.
    await rm(join(cluster, 'postmaster.pid'), { force: true });
    if (socketFolder) await rm(join(socketFolder, '.s.PGSQL.5432.lock'), { force: true });
  }
  return socketFolder;
}
