import { callbackify } from 'node:util';
import pg from 'pg';

/** The timeout of each server's response whether it accepts writes; shorter than that of a new connection. */
const SEARCH_MS = 3000;

/** Several servers, of which one accepts writes at a time. */
type Config = pg.ClientConfig & { urls?: readonly string[] };
type Done = (error: Error | null, client: pg.Client) => void;

/** The error of a connection attempt while no server accepts writes. Its code is that of a server that starts. */
class NoPrimaryError extends Error {
  readonly code = '57P03';
}

/** Searches that are not finished, by the URLs: connections that are opened together share one. */
const searches = new Map<string, Promise<URL>>();

/** A client of the server that accepts writes. With several hosts each connection begins with a search for it. */
export class PrimaryClient extends pg.Client {
  readonly #urls: readonly string[];
  #isEnding = false;

  constructor(config: Config = {}) {
    super(config);
    this.#urls = config.urls ?? [];
  }

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
    if (this.#urls.length > 0) {
      const { hostname, port } = await findPrimary(this.#urls);
      // Before it connects, `pg` ends nothing.
      if (this.#isEnding) throw new Error('the connection was closed during the search for the primary');
      this.host = hostname.replace(/^\[|\]$/g, '');
      this.port = Number(port || 5432);
    }
    return super.connect();
  }
}

function findPrimary(urls: readonly string[]): Promise<URL> {
  const key = urls.join(' ');
  const search =
    searches.get(key) ??
    Promise.any(urls.map(assertPrimary))
      .catch((error: AggregateError) => {
        const reasons = error.errors.map(
          (each: Error, index) => `${new URL(urls[index]!).host}: ${each.message}`,
        );
        throw new NoPrimaryError(`no server accepts writes (${reasons.join(', ')})`);
      })
      .finally(() => searches.delete(key));
  searches.set(key, search);
  return search;
}

/** Returns the URL of a server that accepts writes. Rejects for a standby. */
async function assertPrimary(url: string): Promise<URL> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: SEARCH_MS,
    query_timeout: SEARCH_MS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ isStandby: boolean }>('select pg_is_in_recovery() as "isStandby"');
    if (rows[0]!.isStandby) throw new Error('standby');
    return new URL(url);
  } finally {
    void client.end().catch(() => {});
  }
}
