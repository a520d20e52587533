// The limit: a bare Node HTTP server with `pg` that runs the statements of one case on the tables of a schema, serialises
// their rows and sends as many bytes as the product does without compression. Forked by limit.mjs, which sends the case in
// a message; a body lists each statement's values, `GET /n` runs the one statement with the n-th of `values`.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { verify } from '@node-rs/argon2';
import pg from 'pg';

// Dates as text and amounts as numbers: a Date object costs more than the rest of its row.
const { TIMESTAMPTZ, DATE, NUMERIC } = pg.types.builtins;
const parsers = { [TIMESTAMPTZ]: String, [DATE]: String, [NUMERIC]: Number };
const types = { getTypeParser: (oid, format) => parsers[oid] ?? pg.types.getTypeParser(oid, format) };

process.once('message', ({ connection, schema, statements, values: listed, bytes, password }) => {
  const options = `-c search_path=${schema},forecourt,extensions -c timezone=UTC`;
  // The product's pool has as many connections (docs/product/limits.md, Database limits).
  const pool = new pg.Pool({ ...connection, options, max: 10, types });
  const body = Buffer.alloc(bytes, 'x');

  const server = createServer((request, response) => {
    runStatements(request).then(
      () =>
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes }).end(body),
      (error) => response.writeHead(500, { 'content-length': 0 }).end(console.error(error)),
    );
  });

  async function runStatements(request) {
    const values =
      request.method === 'GET' ? [listed[request.url.slice(1)]] : JSON.parse(await text(request));
    for (const [at, statement] of statements.entries()) {
      // Statements with a pattern are planned for that pattern, here as in the product.
      const name = / like \$/.test(statement) ? undefined : `s${at}`;
      const { rows } = await pool.query({ name, text: statement, values: values[at] });
      JSON.stringify(rows);
      if (at === 0 && password) await verify(rows[0].hash, password);
    }
  }

  server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
  process.once('disconnect', () => process.exit());
});
