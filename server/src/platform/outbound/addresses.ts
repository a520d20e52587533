import { BlockList, isIPv6 } from 'node:net';

/** Blocked for mail servers: this network, link-local with the clouds' metadata services, multicast, reserved. */
const BLOCKED_RANGES = [
  '0.0.0.0/8',
  '169.254.0.0/16',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.2.0/24',
  '224.0.0.0/3',
];
const BLOCKED_RANGES_6 = ['::/128', 'fe80::/10', 'ff00::/8', 'fd00:ec2::/32', '2001:db8::/32'];
/** Tunnels and `::ffff:0:a.b.c.d`, which embed another address. No mail server is expected there. */
const TUNNELS = ['2001::/32', '2002::/16', '64:ff9b:1::/48', '::ffff:0:0:0/96'];

const LOOPBACK = ['127.0.0.0/8'];
const PRIVATE = [
  ...LOOPBACK,
  '10.0.0.0/8',
  '100.64.0.0/10',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
];
const PRIVATE_6 = ['::1/128', 'fc00::/7', 'fec0::/10'];

/** IPv6 ranges that embed IPv4 and are in use: `::a.b.c.d` and NAT64. node:net handles mapped forms. */
const EMBEDDING = ['::', '64:ff9b::'];

function createBlockList(v4: string[], v6: string[]): BlockList {
  const list = new BlockList();
  const add = (range: string, family: 'ipv4' | 'ipv6') => {
    const [network, bits] = range.split('/') as [string, string];
    list.addSubnet(network, Number(bits), family);
  };
  for (const range of v4) {
    const [network, bits] = range.split('/') as [string, string];
    add(range, 'ipv4');
    for (const prefix of EMBEDDING) add(`${prefix}${network}/${96 + Number(bits)}`, 'ipv6');
  }
  for (const range of v6) add(range, 'ipv6');
  return list;
}

const blocked = createBlockList(BLOCKED_RANGES, [...BLOCKED_RANGES_6, ...TUNNELS]);
const nonPublic = createBlockList(PRIVATE, PRIVATE_6);
const loopback = createBlockList(LOOPBACK, ['::1/128']);

const isIn = (list: BlockList, address: string) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');

/** Classifies an IP address, in any notation. */
export function kindOf(address: string): 'blocked' | 'loopback' | 'private' | 'public' {
  // Checked first, because `::1` is also in the range of embedded addresses.
  if (isIn(loopback, address)) return 'loopback';
  if (isIn(blocked, address)) return 'blocked';
  return isIn(nonPublic, address) ? 'private' : 'public';
}
