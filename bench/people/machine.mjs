// Reads the resource usage of the server and its database from outside (Linux).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { median } from '../figures.mjs';

const TICKS = 100;
const MiB = 2 ** 20;
const SAMPLE_MS = 1000;

/** With PROFILE=FOLDER the servers write CPU profiles there. */
const profiling = process.env.PROFILE ? `--cpu-prof --cpu-prof-dir=${process.env.PROFILE} ` : '';

/** Returns the environment in which a server writes its internal figures to this file. */
export const probeEnvironment = (file) => ({
  NODE_OPTIONS: `${profiling}--import=${pathToFileURL(join(import.meta.dirname, 'server-probe.mjs')).href}`,
  BENCH_INSIDE: file,
});

/** Requests the internal figures of a server since the last request. */
export async function readServerProbe(pid, file) {
  const known = reportRows(file).length;
  process.kill(pid, 'SIGUSR2');
  for (;;) {
    const lines = reportRows(file);
    if (lines.length > known) return JSON.parse(lines.at(-1));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function reportRows(file) {
  try {
    return readFileSync(file, 'utf8').trim().split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

/** Returns the fields of /proc/PID/stat after the name, which may contain anything; the first one is the state. */
function statOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
  } catch {
    return undefined;
  }
}

const secondsOf = (fields, from, to) =>
  fields.slice(from, to).reduce((sum, field) => sum + Number(field), 0) / TICKS;

/** Returns the processor seconds of one process. */
export const processorOf = (pid) => secondsOf(statOf(pid), 11, 13);

/** Returns the processor seconds of a PostgreSQL with all processes that it has started, including ended ones. */
export function processorOfDatabase(folder) {
  const postmaster = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0];
  let seconds = secondsOf(statOf(postmaster), 11, 15);
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const fields = statOf(pid);
    if (fields?.[1] === postmaster) seconds += secondsOf(fields, 11, 13);
  }
  return seconds;
}

/** Returns the memory of one process in MiB. */
export const memoryOf = (pid) => (Number(statOf(pid)?.[21]) * 4096) / MiB;

/** Samples the memory of a process every second until stopped. `medianOf` is in MiB. */
export function watchMemory(pid) {
  const samples = [];
  const timer = setInterval(() => samples.push({ at: performance.now(), mib: memoryOf(pid) }), SAMPLE_MS);
  return {
    medianOf: (from, to) => median(samples.filter(({ at }) => at >= from && at <= to).map(({ mib }) => mib)),
    stop: () => clearInterval(timer),
  };
}
