// Part of `npm test`: the OpenSSH server that receives copies of backups in the tests.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { installFromDebian } from './debian.mjs';

const SSHD = process.env.SSHD_PATH ?? '/usr/sbin/sshd';
const POLICY = '/usr/sbin/policy-rc.d';

/** Prevents the package from starting a server: Debian runs this file to decide what may be started. */
function installWithoutStarting() {
  const isOurs = !existsSync(POLICY);
  if (isOurs) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    installFromDebian('openssh-server', 'an OpenSSH server');
  } finally {
    if (isOurs) rmSync(POLICY);
  }
}

/**
 * Installs an OpenSSH server where nothing would start it: in a container, as root. Otherwise prints that the tests use
 * a substitute.
 */
export function provideSshd() {
  if (existsSync(SSHD)) return;
  const isContainer = process.getuid?.() === 0 && !existsSync('/run/systemd/system');
  if (isContainer) installWithoutStarting();
  if (!existsSync(SSHD)) {
    console.log(
      'There is no OpenSSH server here: copies of backups are tested against a stand-in (SSHD_PATH).',
    );
  }
}
