import { callbackify } from 'node:util';
import pg from 'pg';

/** The timeout of each server's response what it is; shorter than that of a new connection. */
const SEARCH_MS = 3000;

/** Several servers, of which one is searched: the one that accepts writes, or a replica. */
type Hosts = { urls?: readonly string[]; isReplica?: boolean };
type Config = pg.ClientConfig & Hosts;
type Done = (error: Error | null, client: pg.Client) => void;

/** The error of a connection attempt while no server is the one that is searched. Its code is that of a server that starts. */
class NoServerError extends Error {
  readonly code = '57P03';
}

/** Searches that are not finished, by role and URLs: connections that are opened together share one. */
const searches = new Map<string, Promise<URL>>();

/** A client of the server that accepts writes, or of a replica. With several hosts each connection begins with a search for it. */
export class HostsClient extends pg.Client {
  readonly #hosts: Required<Hosts>;
  #isEnding = false;
  #lost: Error | undefined;

  constructor(config: Config = {}) {
    super(config);
    this.#hosts = { urls: config.urls ?? [], isReplica: config.isReplica ?? false };
    // A server that stops may end the session in the packet that completes the connection, before the caller can
    // listen. Without a listener the error would end the process.
    this.on('error', (error: Error) => (this.#lost = error));
  }

  /** Rejects also if the server ends the session as soon as it has begun. */
  override connect(): Promise<pg.Client>;
  override connect(done: Done): void;
  override connect(done?: Done): Promise<pg.Client> | void {
    if (!done) return this.#connect();
    callbackify(() => this.#connect())(done);
  }

  override end(): Promise<void>;
  override end(done: (error: Error) => void): void;
  override end(done?: (error: Error) => void): Promise<void> | void {
    this.#isEnding = true;
    return done ? super.end(done) : super.end();
  }

  async #connect(): Promise<pg.Client> {
    if (this.#hosts.urls.length > 0) {
      const { hostname, port } = await findServer(this.#hosts);
      // Before it connects, `pg` ends nothing.
      if (this.#isEnding) throw new Error('the connection was closed during the search for its server');
      this.host = hostname.replace(/^\[|\]$/g, '');
      this.port = Number(port || 5432);
    }
    await super.connect();
    if (this.#lost) throw this.#lost;
    return this;
  }
}

function findServer({ urls, isReplica }: Required<Hosts>): Promise<URL> {
  const key = `${isReplica} ${urls.join(' ')}`;
  return searches.getOrInsertComputed(key, () =>
    Promise.any(urls.map((url) => assertRole(url, isReplica)))
      .catch((error: AggregateError) => {
        const reasons = error.errors.map(
          (each: Error, index) => `${new URL(urls[index]!).host}: ${each.message}`,
        );
        const missing = isReplica ? 'is a replica' : 'accepts writes';
        throw new NoServerError(`no server ${missing} (${reasons.join(', ')})`);
      })
      .finally(() => searches.delete(key)),
  );
}

/** Returns the URL of a server that accepts writes, or of a replica. Rejects for another one. */
async function assertRole(url: string, isReplica: boolean): Promise<URL> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: SEARCH_MS,
    query_timeout: SEARCH_MS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ isStandby: boolean }>('select pg_is_in_recovery() as "isStandby"');
    const { isStandby } = rows[0]!;
    if (isStandby !== isReplica) throw new Error(isStandby ? 'standby' : 'primary');
    return new URL(url);
  } finally {
    void client.end().catch(() => {});
  }
}
