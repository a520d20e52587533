// The limit: nodemailer with a pool, which gets rendered messages and stores nothing, in its own process.
import { createTransport } from 'nodemailer';

let transport;
async function send({ port, messages }) {
  transport ??= createTransport({
    host: '127.0.0.1',
    port,
    ignoreTLS: true,
    auth: { user: 'bench', pass: 'bench' },
    pool: true,
    maxConnections: 5,
    maxMessages: Infinity,
  });
  await Promise.all(messages.map((message) => transport.sendMail(message)));
  process.send('sent');
}
process.on('message', (given) => void send(given));
process.on('disconnect', () => process.exit());
