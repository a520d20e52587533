import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { commandLine, findLauncher } from '../src/platform/db/embedded/postgres-programs.ts';
import { openFaultyLine, type FaultyLine } from './faulty-line.ts';
import { freePort } from './free-port.ts';
import { readDeployed } from './operator-tools.ts';

/** The password of the superuser and of the REST API in `deploy/patroni.yml`. */
const PASSWORD = 'change-me';
/** For calls that change something. */
const REST_HEADERS = { authorization: `Basic ${Buffer.from(`patroni:${PASSWORD}`).toString('base64')}` };
const NAMES = ['one', 'two'] as const;
/** A server that cannot follow the primary for this long is built anew. */
const REBUILD_MS = 90_000;

type Node = {
  name: string;
  /** Ends Patroni and PostgreSQL by kill -9, as a machine that loses its power. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Cuts all its connections without closing them, as an unplugged cable. */
  cut(): void;
  mend(): void;
};

export type Cluster = {
  /** HAProxy in front of both servers. */
  proxyUrl: string;
  /** Both servers by name. */
  hostsUrl: string;
  /** Returns the node that is primary, once the other one is its synchronous standby. */
  whenHealthy(): Promise<{ primary: Node; standby: Node }>;
  /** Moves the primary to the standby as `patronictl switchover` does. */
  switchover(from: Node, to: Node): Promise<void>;
  /** How often a server could not follow the primary and was built anew. */
  rebuilt(): number;
  /** Runs a statement as the superuser of the primary. */
  administer(statement: string): Promise<void>;
  close(): Promise<void>;
};

type Ports = { database: FaultyLine; rest: FaultyLine; etcd: FaultyLine };

/** Starts etcd, two servers under Patroni and HAProxy with the files of `deploy/`. */
export async function openCluster(folder: string): Promise<Cluster> {
  const launcher = await findLauncher();
  const children = new Set<ChildProcess>();
  const run = (name: string, program: string, args: string[]): ChildProcess => {
    const child = spawn(...commandLine(launcher, program, args), {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: `/usr/sbin:/usr/bin:/bin`, HOME: folder, LC_ALL: 'C.UTF-8', TZ: 'UTC' },
    });
    const log = createWriteStream(join(folder, `${name}.log`), { flags: 'a' });
    for (const stream of [child.stdout, child.stderr]) stream!.pipe(log, { end: false });
    children.add(child);
    child.on('exit', () => children.delete(child));
    return child;
  };

  const [etcdPort, peerPort, proxyPort] = [await freePort(), await freePort(), await freePort()];
  const etcdUrl = `http://127.0.0.1:${etcdPort}`;
  const peerUrl = `http://127.0.0.1:${peerPort}`;
  const etcdOptions = {
    'data-dir': join(folder, 'etcd'),
    'listen-client-urls': etcdUrl,
    'advertise-client-urls': etcdUrl,
    'listen-peer-urls': peerUrl,
    'initial-advertise-peer-urls': peerUrl,
    'initial-cluster': `default=${peerUrl}`,
  };
  run(
    'etcd',
    'etcd',
    Object.entries(etcdOptions).map(([name, value]) => `--${name}=${value}`),
  );

  const own = await Promise.all(
    NAMES.map(async () => ({ database: await freePort(), rest: await freePort() })),
  );
  const lines: Ports[] = await Promise.all(
    own.map(async ({ database, rest }) => ({
      database: await openFaultyLine(database),
      rest: await openFaultyLine(rest),
      etcd: await openFaultyLine(etcdPort),
    })),
  );
  let rebuilt = 0;
  const nodes = await Promise.all(NAMES.map((name, index) => openNode(name, own[index]!, lines[index]!)));

  async function openNode(name: string, ports: (typeof own)[number], line: Ports): Promise<Node> {
    const dataDir = join(folder, name);
    const file = join(folder, `${name}.yml`);
    const text = await readDeployed('patroni.yml', [
      ['name: one', `name: ${name}`],
      ['listen: 10.0.0.1:8008', `listen: 127.0.0.1:${ports.rest}`],
      ['connect_address: 10.0.0.1:8008', `connect_address: 127.0.0.1:${line.rest.port}`],
      // Members of etcd would tell their own address, which no line leads to.
      [
        'hosts: 10.0.0.1:2379,10.0.0.2:2379,10.0.0.3:2379',
        `hosts: 127.0.0.1:${line.etcd.port}\n  use_proxies: true`,
      ],
      ['listen: 10.0.0.1:5432', `listen: 127.0.0.1:${ports.database}`],
      ['connect_address: 10.0.0.1:5432', `connect_address: 127.0.0.1:${line.database.port}`],
      ['/var/lib/postgresql/15/forecourt', dataDir],
      ['unix_socket_directories: /run/postgresql', "unix_socket_directories: ''\n    fsync: 'off'"],
      ['host all all 10.0.0.0/24', 'host all all 127.0.0.1/32'],
      ['host replication replicator 10.0.0.0/24', 'host replication replicator 127.0.0.1/32'],
    ]);
    await writeFile(file, text);
    let patroni: ChildProcess | undefined;
    const all = [line.database, line.rest, line.etcd];
    return {
      name,
      async start() {
        patroni = run(`patroni-${name}`, 'patroni', [file]);
      },
      async kill() {
        const pid = Number.parseInt(
          await readFile(join(dataDir, 'postmaster.pid'), 'utf8').catch(() => ''),
          10,
        );
        const exited = patroni && once(patroni, 'exit');
        patroni?.kill('SIGKILL');
        if (pid) endProcess(pid);
        await exited;
      },
      cut() {
        for (const one of all) one.cut();
      },
      mend() {
        for (const one of all) one.mend();
      },
    };
  }

  const proxyFile = join(folder, 'haproxy.cfg');
  await writeFile(
    proxyFile,
    await readDeployed('haproxy.cfg', [
      ['127.0.0.1:5000', `127.0.0.1:${proxyPort}`],
      ...NAMES.map((name, index): [string, string] => [
        `server ${name} 10.0.0.${index + 1}:5432 check port 8008`,
        `server ${name} 127.0.0.1:${lines[index]!.database.port} check port ${lines[index]!.rest.port}`,
      ]),
    ]),
  );
  run('haproxy', 'haproxy', ['-f', proxyFile]);

  const address = (name: string, hosts: string) => `postgresql://${name}@${hosts}`;
  const hosts = lines.map(({ database }) => `127.0.0.1:${database.port}`).join(',');
  /** The state of a node by its REST API, past the line. */
  const isStatus = async (index: number, path: string): Promise<boolean> =>
    fetch(`http://127.0.0.1:${own[index]!.rest}/${path}`, { signal: AbortSignal.timeout(2000) }).then(
      ({ status }) => status === 200,
      () => false,
    );
  /** Builds the server beside the primary anew, as `patronictl reinit` does. */
  async function rebuild(): Promise<void> {
    for (const [index, { rest }] of own.entries()) {
      if (!(await isStatus(1 - index, 'primary'))) continue;
      rebuilt += 1;
      await fetch(`http://127.0.0.1:${rest}/reinitialize`, {
        method: 'POST',
        headers: REST_HEADERS,
        body: JSON.stringify({ force: true }),
      });
    }
  }
  async function whenHealthy() {
    for (let since = performance.now(); ;) {
      for (const [index, primary] of nodes.entries()) {
        const other = 1 - index;
        if ((await isStatus(index, 'primary')) && (await isStatus(other, 'synchronous')))
          return { primary, standby: nodes[other]!, index };
      }
      if (performance.now() - since > REBUILD_MS) {
        since = performance.now();
        await rebuild();
      }
      await pause(200);
    }
  }

  await mkdir(folder, { recursive: true });
  await Promise.all(nodes.map((node) => node.start()));
  await whenHealthy();
  return {
    proxyUrl: address('forecourt:forecourt', `127.0.0.1:${proxyPort}/forecourt`),
    hostsUrl: `${address('forecourt:forecourt', hosts)}/forecourt?target_session_attrs=read-write`,
    whenHealthy,
    rebuilt: () => rebuilt,
    async switchover(from, to) {
      const index = nodes.indexOf(from);
      const response = await fetch(`http://127.0.0.1:${own[index]!.rest}/switchover`, {
        method: 'POST',
        headers: REST_HEADERS,
        body: JSON.stringify({ leader: from.name, candidate: to.name }),
      });
      if (!response.ok) throw new Error(`switchover: ${response.status} ${await response.text()}`);
    },
    async administer(statement) {
      const { index } = await whenHealthy();
      const client = new pg.Client({
        connectionString: address(`postgres:${PASSWORD}`, `127.0.0.1:${own[index]!.database}/postgres`),
      });
      await client.connect();
      try {
        await client.query(statement);
      } finally {
        await client.end();
      }
    },
    async close() {
      await Promise.all(nodes.map((node) => node.kill()));
      const ended = [...children].map((child) => once(child, 'exit'));
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(ended);
      await Promise.all(lines.flatMap((line) => Object.values(line)).map((line) => line.close()));
    },
  };
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
