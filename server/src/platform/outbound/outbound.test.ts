import { expect, test } from 'vitest';
import { kindOf } from './addresses.ts';
import { createOutbound } from './outbound.ts';

const config = {
  HOST: '127.0.0.1',
  PORT: 3000,
  DATABASE_URL: 'postgresql://pooler.example:6432/x',
  DATABASE_DIRECT_URL: 'postgresql://standby.example:5433,db.example:5433/x',
  DATABASE_REPLICA_URL: 'postgresql://db.example:5434/x',
  STRICT_OUTBOUND: false,
};
const names: Record<string, string[]> = {
  'mail.example': ['203.0.114.9'],
  'relay.example': ['10.1.2.3'],
  'rebound.example': ['169.254.169.254', '203.0.114.9'],
  'db.example': ['10.9.9.9'],
  'pooler.example': ['10.9.9.8'],
  '2130706433': ['127.0.0.1'],
};
const resolve = async (host: string) => {
  const addresses = names[host];
  if (!addresses) throw new Error('ENOTFOUND');
  return addresses;
};
const outbound = createOutbound(config, resolve);
const strict = createOutbound({ ...config, STRICT_OUTBOUND: true }, resolve);

test('a destination resolves a name to the address, and requires the name in the certificate', async () => {
  expect(await outbound.destination('mail.example', 587)).toEqual({
    address: '203.0.114.9',
    port: 587,
    servername: 'mail.example',
  });
});

test('an outbound connection reports an unknown name', async () => {
  await expect(outbound.destination('nowhere.example', 25)).rejects.toMatchObject({ reason: 'name' });
});

test('authorises the first address, independent of a second one', async () => {
  await expect(outbound.destination('rebound.example', 25)).rejects.toMatchObject({ reason: 'refused' });
});

test.each([
  '0.0.0.0',
  '::',
  '169.254.169.254',
  '::ffff:169.254.169.254',
  '::ffff:a9fe:a9fe',
  '::a9fe:a9fe',
  '64:ff9b::a9fe:a9fe',
  '2002:a9fe:a9fe::1',
  '2002:a00:1::1',
  '64:ff9b:1::a00:1',
  '::ffff:0:169.254.169.254',
  '::ffff:0:10.0.0.1',
  '0:0:0:0:ffff:0:7f00:1',
  '2001:0:1:2:3:4:5:6',
  'fe80::1',
  'fd00:ec2::254',
  '100.100.100.200',
  '168.63.129.16',
  '224.0.0.1',
  '255.255.255.255',
  'ff02::1',
])('an outbound connection never connects to %s', async (address) => {
  await expect(outbound.destination(address, 25)).rejects.toMatchObject({ reason: 'refused' });
});

test.each([
  '127.0.0.1',
  '::1',
  '::ffff:127.0.0.1',
  '10.0.0.1',
  '192.168.1.1',
  '172.16.0.1',
  'fd12::1',
  '64:ff9b::a00:1',
  '::a00:1',
  '2130706433',
  'relay.example',
])('an outbound connection allows %s as an office relay, unless STRICT_OUTBOUND', async (host) => {
  await expect(outbound.destination(host, 25)).resolves.toMatchObject({ port: 25 });
  await expect(strict.destination(host, 25)).rejects.toMatchObject({ reason: 'refused' });
});

test.each([
  ['127.0.0.1', 3000],
  ['127.9.9.9', 3000],
  ['::1', 3000],
  ['::ffff:127.0.0.1', 3000],
  ['2130706433', 3000],
  ['db.example', 5433],
  ['10.9.9.9', 5433],
  ['db.example', 5434],
])('an outbound connection refuses %s on port %i as our own', async (host, port) => {
  await expect(outbound.destination(host, port)).rejects.toMatchObject({ reason: 'refused' });
});

test('an outbound connection allows another port of the same machines', async () => {
  await expect(outbound.destination('127.0.0.1', 3001)).resolves.toBeDefined();
  await expect(outbound.destination('db.example', 25)).resolves.toBeDefined();
});

test('classifies public addresses in every notation', () => {
  for (const address of ['8.8.8.8', '::ffff:8.8.8.8', '64:ff9b::808:808', '2606:4700::1111']) {
    expect(kindOf(address), address).toBe('public');
  }
});
