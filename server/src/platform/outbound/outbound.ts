import { lookup } from 'node:dns/promises';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Config } from '../config.ts';
import { urlsOf } from '../database-url.ts';
import { withTimeout } from '../with-timeout.ts';
import { kindOf } from './addresses.ts';

/** The address to connect to, and the name that the certificate must have (undefined for an IP address). */
export type Destination = { address: string; port: number; servername: string | undefined };

/** Why a destination is refused: its name is unknown, or its address is not permitted. */
export class OutboundError extends Error {
  readonly reason: 'name' | 'refused';

  constructor(reason: 'name' | 'refused', host: string) {
    super(
      reason === 'name' ? `The name ${host} cannot be found.` : `Connections to ${host} are not allowed.`,
    );
    this.reason = reason;
  }
}

export type Outbound = {
  /** Resolves a host once and checks the address, to which callers then connect. Throws OutboundError. */
  destination(host: string, port: number): Promise<Destination>;
};

/** What names the endpoints of this program and of its database. */
export type OwnAddresses = Pick<
  Config,
  'HOST' | 'PORT' | 'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'DATABASE_REPLICA_URL'
>;

/** The timeout of name resolution. */
const RESOLVE_MS = 5000;

const systemResolve = async (host: string): Promise<string[]> =>
  (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);

/**
 * Permits outgoing connections by address, not by name, so that a later change in DNS has no effect
 * (docs/product/security.md, Outgoing connections). A name resolves to its first address in the system's order.
 */
export function createOutbound(
  config: OwnAddresses & Pick<Config, 'STRICT_OUTBOUND'>,
  resolve = systemResolve,
): Outbound {
  const own = ownEndpoints(config);

  async function addressOf(host: string): Promise<string> {
    if (isIP(host)) return host;
    const [first] = await withTimeout(RESOLVE_MS, resolve(host), () => []).catch(() => []);
    if (!first) throw new OutboundError('name', host);
    return first;
  }

  async function isOwn(address: string, port: number): Promise<boolean> {
    for (const endpoint of own.filter((candidate) => candidate.port === port)) {
      if (isOfThisMachine(address) && (await isLocalEndpoint(endpoint.host))) return true;
      if ((await addressOf(endpoint.host).catch(() => undefined)) === address) return true;
    }
    return false;
  }

  const isLocalEndpoint = async (host: string) => {
    const address = await addressOf(host).catch(() => undefined);
    return address !== undefined && (isUnspecified(address) || isOfThisMachine(address));
  };

  return {
    async destination(host, port) {
      const address = await addressOf(host);
      const kind = kindOf(address);
      const isRefused =
        kind === 'blocked' || (config.STRICT_OUTBOUND && kind !== 'public') || (await isOwn(address, port));
      if (isRefused) throw new OutboundError('refused', host);
      return { address, port, servername: isIP(host) ? undefined : host };
    },
  };
}

/** Returns the endpoints of this program and of its database. The embedded database has no port. */
function ownEndpoints({ HOST, PORT, ...urls }: OwnAddresses) {
  const { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_REPLICA_URL } = urls;
  const databases = [DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_REPLICA_URL].filter(
    (url) => url !== undefined,
  );
  return [
    { host: HOST, port: PORT },
    ...databases.flatMap(urlsOf).map((url) => {
      const { hostname, port } = new URL(url);
      return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 5432) };
    }),
  ];
}

const isUnspecified = (address: string) => address === '0.0.0.0' || address === '::';

function isOfThisMachine(address: string): boolean {
  if (kindOf(address) === 'loopback') return true;
  const own = new BlockList();
  for (const { address, family } of Object.values(networkInterfaces()).flatMap((list) => list ?? [])) {
    own.addAddress(address, family === 'IPv6' ? 'ipv6' : 'ipv4');
  }
  return own.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
