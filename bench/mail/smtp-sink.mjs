// A mail server in its own process that accepts everything and stores nothing. Sent a number, it reports when as many
// more messages have arrived.
import { SMTPServer } from 'smtp-server';

let missing = Infinity;
const server = new SMTPServer({
  hideSTARTTLS: true,
  allowInsecureAuth: true,
  disableReverseLookup: true,
  onAuth: (auth, _session, callback) => callback(null, { user: auth.username }),
  onData(stream, _session, callback) {
    stream.on('data', () => {});
    stream.on('end', () => {
      callback();
      missing -= 1;
      if (missing === 0) process.send('arrived');
    });
  },
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.server.address().port }));
process.on('message', (count) => {
  missing = count;
  process.send('ready');
});
process.on('disconnect', () => process.exit());
