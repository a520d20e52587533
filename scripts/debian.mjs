// Part of `npm test`: installs packages that the tests need, on Debian.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Whether apt-get would install a real package: Ubuntu's Chromium is only a transition to a snap. */
function canInstall() {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  return /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));
}

/** Installs a Debian package, as root on Debian only. The caller checks whether it is installed then. */
export function installFromDebian(packageName, label) {
  if (!canInstall()) return;
  console.log(`Installing ${label} for the tests …`);
  const options = {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  spawnSync('apt-get', ['update', '-qq'], options);
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', packageName], options);
}
