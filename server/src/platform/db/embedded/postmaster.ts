import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { commandLine, type Launcher, postgresEnvironment } from './launcher.ts';
import { postgresFailure } from './start-failure.ts';

/** Where warnings and, for debugging, all of PostgreSQL's own messages go. */
export interface DatabaseLog {
  debug(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

export interface Postmaster {
  /** Settles when the process has ended, for whatever reason. */
  exited: Promise<void>;
}

interface PostmasterOptions {
  postgres: string;
  launcher: Launcher;
  cluster: string;
  socketFolder: string;
  log: DatabaseLog;
}

/** Given at every start, not written into the cluster: a newer program brings newer settings. */
const settings: Record<string, string> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '60',
  shared_buffers: '256MB',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  max_wal_size: '1GB',
  random_page_cost: '1.1',
  jit: 'off',
  timezone: 'UTC',
  lc_messages: 'C',
  // The app logs its own failed statements; here they would carry what people typed.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  log_line_prefix: '',
};

const linesKept = 20;

/**
 * Starts a postmaster and answers once it accepts connections. Refuses with a `StartError` that says why
 * PostgreSQL gave up. It gets a session of its own, so that Ctrl+C in a terminal
 * reaches the app only, which finishes its requests first.
 */
export function launchPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  const { postgres, launcher, cluster, socketFolder, log } = options;
  const args = ['-D', cluster, '-k', socketFolder];
  for (const [name, value] of Object.entries(settings)) args.push('-c', `${name}=${value}`);
  const [file, rest] = commandLine(launcher, postgres, args);
  const child = spawn(file, rest, {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: postgresEnvironment,
  });

  return new Promise((resolve, reject) => {
    const exited = new Promise<void>((ended) => child.once('exit', () => ended()));
    const output: string[] = [];
    createInterface({ input: child.stderr }).on('line', (line) => {
      output.push(line);
      if (output.length > linesKept) output.shift();
      if (/^(WARNING|PANIC):/.test(line)) log.warn(`PostgreSQL: ${line}`);
      else log.debug(`PostgreSQL: ${line}`);
      if (line.endsWith('database system is ready to accept connections')) resolve({ exited });
    });
    child.once('error', reject);
    child.once('close', () => reject(postgresFailure(output.join('\n'), cluster)));
  });
}
