// The commands of docs/operating.md, on this machine: in namespaces of their own, so that neither its files nor its ports
// are touched.
import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ADMIN } from './process.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = await readFile(join(ROOT, 'docs/operating.md'), 'utf8');
const blocks = [...PAGE.matchAll(/^```\n([^`]*)^```$/gm)].map(([, commands]) => commands!.trimEnd());

/** Blocks whose commands need what this machine lacks, by their first words. */
const NOT_RUN = ['sudo apt install postgresql-18', 'SMTP_URL='];

const folder = await mkdtemp(join(tmpdir(), 'operating-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Returns the block that begins with these words, with a password in place of the ellipsis. */
function block(start: string): string {
  const found = blocks.find((commands) => commands.startsWith(start));
  if (!found) throw new Error(`docs/operating.md has no commands that begin with: ${start}`);
  return found.replaceAll('…', 'secret');
}

const COMMANDS = [
  'create role forecourt',
  'DATABASE_URL=',
  // Before the first start of the service: a start without DATABASE_URL would make another database.
  'PUBLIC_URL=',
  'sudo cp -a /opt/forecourt/data',
  'cd /opt/forecourt',
  'sudo -u postgres createdb',
];

test('each block of commands in the page for operators is run by the long test in this order, or cannot be run here', () => {
  expect(blocks.filter((commands) => !NOT_RUN.some((start) => commands.startsWith(start)))).toEqual(
    COMMANDS.map((start) => expect.stringMatching(`^${start}`)),
  );
});

/** `sudo`, and what systemd does for the unit: systemd itself is not process 1 everywhere. */
const SUDO = `#!/bin/sh
if [ "$1" = -u ]; then user=$2; shift 2; exec env -u PGUSER runuser -u "$user" -- "$@"; fi
exec "$@"
`;
const SYSTEMCTL = `#!/bin/bash
set -eu
unit=/etc/systemd/system/forecourt.service
of() { sed -n "s/^$1=//p" "$unit"; }
case "$*" in
  'enable --now forecourt')
    install -d -m "$(of StateDirectoryMode)" "/var/lib/$(of StateDirectory)"
    chown -R "$(of User)" "/var/lib/$(of StateDirectory)"
    cd "$(of WorkingDirectory)"
    file=$(of EnvironmentFile)
    runuser -u "$(of User)" -- env $(of Environment) $(cat "\${file#-}") $(of ExecStart) >&2 &
    ;;
  'reload caddy') caddy validate --adapter caddyfile --config /etc/caddy/Caddyfile ;;
  *) exit 1 ;;
esac
`;

/** Waits until the service is ready, for two minutes at most. */
const READY = `for i in $(seq 600); do curl -fs http://127.0.0.1:3000/api/ready >&2 && break; sleep 0.2; done
curl -fs http://127.0.0.1:3000/api/ready >&2`;

const script = () => `set -euo pipefail
ip link set lo up
mount -t tmpfs tmpfs /mnt
# Its own /etc, /opt and /var, and a clone in /opt/forecourt.
mkdir -p /opt/forecourt
for path in etc opt var; do
  mkdir -p /mnt/$path /mnt/work-$path
  mount -t overlay overlay -o lowerdir=/$path,upperdir=/mnt/$path,workdir=/mnt/work-$path /$path
done
mkdir -p /opt/forecourt /mnt/clone /mnt/work-clone /etc/caddy /var/run/postgresql
mount -t overlay overlay -o lowerdir='${ROOT}',upperdir=/mnt/clone,workdir=/mnt/work-clone /opt/forecourt
export PATH="${folder}:$PATH"

# The distribution's PostgreSQL.
bin=$(ls -d /usr/lib/postgresql/*/bin | tail -1)
install -d -o postgres /mnt/postgres /var/run/postgresql
sudo -u postgres "$bin/initdb" -A trust -D /mnt/postgres >&2
sudo -u postgres "$bin/pg_ctl" -D /mnt/postgres -l /mnt/postgres/log -o '-k /var/run/postgresql' -w start >&2
sudo -u postgres psql <<'SQL'
${block('create role forecourt')}
SQL

echo '# Started by hand'
cd /opt/forecourt
(export ADMIN_EMAIL='${ADMIN.email}' ADMIN_PASSWORD='${ADMIN.password}'
${block('DATABASE_URL=')} >&2) &
${READY}
kill -TERM $(pgrep -f server/src/main.mjs)
wait

echo '# As a service'
cat > /etc/forecourt.env <<'ENV'
${block('PUBLIC_URL=')}
ENV
${block('sudo cp -a /opt/forecourt/data')}
${block('cd /opt/forecourt')}
${READY}
ps -o user= -p $(pgrep -of '^[^ ]*node server/src/main.mjs')

echo '# A backup without the program'
token=$(curl -fs http://127.0.0.1:3000/api/auth/login -H 'content-type: application/json' \\
  -d '${JSON.stringify(ADMIN)}' | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')
curl -fs -X POST http://127.0.0.1:3000/api/backups -H "authorization: Bearer $token" >&2
cd /var/lib/forecourt/backups
for i in $(seq 600); do ls *.sql.gz >&2 && break; sleep 0.2; done
export PGUSER=forecourt
${block('sudo -u postgres createdb').replace(/backup_\S+\.sql\.gz/, '*.sql.gz')} >&2
psql -At forecourt_copy -c "select email from forecourt.users"
pkill -TERM -f server/src/main.mjs
sudo -u postgres "$bin/pg_ctl" -D /mnt/postgres -m fast stop >&2
`;

test.runIf(process.env.LONG_TESTS)(
  'an operator who enters the commands of the page gets a service, and a database from its backup',
  async () => {
    for (const [name, text] of Object.entries({ sudo: SUDO, systemctl: SYSTEMCTL })) {
      await writeFile(join(folder, name), text);
      await chmod(join(folder, name), 0o755);
    }
    const namespaces = ['--mount', '--net', '--pid', '--fork', '--mount-proc', '--kill-child'];
    const printed = execFileSync('unshare', [...namespaces, 'bash'], {
      input: script(),
      encoding: 'utf8',
      stdio: 'pipe',
    });
    expect(printed.match(/^#.*|^forecourt$|\S+@example\.com/gm)).toEqual([
      '# Started by hand',
      '# As a service',
      'forecourt',
      '# A backup without the program',
      ADMIN.email,
    ]);
  },
);
