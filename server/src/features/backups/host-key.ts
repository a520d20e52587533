import { hash } from 'node:crypto';

/** The host key of a server: its fingerprint as printed by `ssh-keygen -l`, `SHA256:…`. */
export type HostKey = { algorithm: string; fingerprint: string };

/** @param key as sent by the server */
export function hostKeyOf(key: Buffer): HostKey {
  // RFC 4253 section 6.6: the name of the algorithm comes first, with its length.
  const algorithm = key.subarray(4, 4 + key.readUInt32BE(0)).toString('latin1');
  const digest = hash('sha256', key, 'base64').replace(/=+$/, '');
  return { algorithm, fingerprint: `SHA256:${digest}` };
}
