// Part of `npm test`: the OpenSSH server that copies of backups go to in the tests.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { installFromDebian } from './debian.mjs';

const SSHD = process.env.SSHD_PATH ?? '/usr/sbin/sshd';
const POLICY = '/usr/sbin/policy-rc.d';

/** Installing the package must open no machine to the network: Debian asks this file what may be started. */
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
 * Brings an OpenSSH server where nothing would start it: in a container, as root. Without one the tests use a
 * stand-in, and this says so.
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
