import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { commandLine, postgresEnvironment, postgresFailure, type Launcher } from './postgres-programs.ts';

/** The log for what is started, warnings and, at debug level, all messages of PostgreSQL. */
export interface DatabaseLog {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

export interface Postmaster {
  /** Settles when the process has ended for any reason. */
  exited: Promise<void>;
}

interface PostmasterOptions {
  postgres: string;
  launcher: Launcher;
  cluster: string;
  socketFolder: string;
  log: DatabaseLog;
  /** Overrides of the settings passed at every start. */
  changes?: Record<string, string>;
}

/** Passed at every start instead of stored in the cluster, because a newer release has newer settings. */
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
  // The application logs its own failed statements; PostgreSQL's would contain user input.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  log_line_prefix: '',
};

const MAX_LINES = 20;

/**
 * Starts a postmaster and resolves once it accepts connections. Throws a `StartError` with PostgreSQL's reason. It runs
 * in its own session, so that Ctrl+C in a terminal reaches only the application, which finishes its requests first.
 */
export function launchPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  const { postgres, launcher, cluster, socketFolder, log, changes } = options;
  const args = ['-D', cluster, '-k', socketFolder];
  for (const [name, value] of Object.entries({ ...settings, ...changes }))
    args.push('-c', `${name}=${value}`);
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
      if (output.length > MAX_LINES) output.shift();
      if (/^(WARNING|PANIC):/.test(line)) log.warn(`PostgreSQL: ${line}`);
      else log.debug(`PostgreSQL: ${line}`);
      if (line.endsWith('database system is ready to accept connections')) resolve({ exited });
    });
    child.once('error', reject);
    child.once('close', () => reject(postgresFailure(output.join('\n'), cluster)));
  });
}
