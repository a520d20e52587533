// Part of `npm test`: what the tests need of the machine, brought by Debian where the machine allows it.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Whether apt-get would bring the real thing: Ubuntu's Chromium is only a pointer to a snap. */
function canInstall() {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  return /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));
}

/** Installs a package of Debian's, as root on Debian and nowhere else. Whether it is there then, the caller looks. */
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
