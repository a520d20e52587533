// Usage: node bench/mail/run.mjs [messages] [rounds]
// Compares messages per second through the whole queue of the real product (rendered, stored with log entry, audit
// entry and job, leased by the worker, sent, outcome stored) with nodemailer with a pool that sends the same messages
// to the same mail server. They alternate; only the ratio within one run is comparable (docs/performance.md).
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callServer, signInAsAdmin, startServer } from '../../server/test/process.ts';
import { count, median, printTable, spread } from '../figures.mjs';

const total = Number(process.argv[2] ?? 2000);
const rounds = Number(process.argv[3] ?? 5);
/** Maximum messages of one mail merge. */
const AT_ONCE = 500;
const GOAL = 3;
/** Makes the message about 10 KB, as of a template with some images and styles. */
const PARAGRAPHS = 30;

const folder = await mkdtemp(join(tmpdir(), 'bench-mail-'));
const sink = fork(join(import.meta.dirname, 'smtp-sink.mjs'));
const [{ port }] = await once(sink, 'message');
const bare = fork(join(import.meta.dirname, 'nodemailer-limit.mjs'));
const server = await startServer(join(folder, 'data'), { UNDO_SEND_SECONDS: '0', MAIL_PER_HOUR: '100000' });
const token = await signInAsAdmin(server.url);

async function call(route, body) {
  const response = await callServer(server.url, route, token, body);
  if (response.status >= 300)
    throw new Error(`${route}: ${response.status} ${JSON.stringify(response.body)}`);
  return response.body;
}

/** Creates a company with a template, a dealership, and a deal for each message of a mail merge. */
async function prepare() {
  const { user } = (await call('GET /auth/me')).data;
  await call(`PUT /email-settings/user/${user._id}`, {
    smtpHost: '127.0.0.1',
    smtpPort: port,
    smtpSecure: false,
    smtpUser: 'bench',
    smtpPassword: 'bench',
    smtpFromEmail: 'bench@example.com',
  });
  const text =
    'Thank you for passing on this buyer. We have spoken to them, and this is what came of it. '.repeat(2);
  const template = await call('POST /email-templates', {
    name: 'Daily',
    subject: 'About {{customer}}',
    status: 'active',
    document: {
      blocks: Array.from({ length: PARAGRAPHS }, () => ({
        type: 'paragraph',
        content: [
          { type: 'variable', key: 'customer' },
          { type: 'text', text },
        ],
      })),
    },
    variables: [
      {
        key: 'customer',
        label: 'Customer',
        category: 'deal',
        defaultValue: '',
        description: '',
        linkedData: 'deal.customerName',
        required: true,
      },
    ],
  });
  const contact = { templateName: 'Daily', includeInTo: true, includeInCc: false, active: true };
  const dealership = await call('POST /dealerships', {
    name: 'Harbour New Cars',
    address: '1 Pier Street',
    defaultEmailTemplateId: template._id,
    contacts: [{ ...contact, name: 'Sam', email: 'sam@dealer.example' }],
  });
  const ids = [];
  while (ids.length < AT_ONCE) {
    const deal = { dealershipId: dealership._id, customerName: `Customer ${ids.length}` };
    ids.push((await call('POST /deals', deal))._id);
  }
  return ids;
}

/** Runs `work` and returns the seconds until this many more messages have arrived. */
async function untilArrived(messages, work) {
  sink.send(messages);
  await once(sink, 'message');
  const arrived = once(sink, 'message');
  const from = performance.now();
  await Promise.all([arrived, work()]);
  return (performance.now() - from) / 1000;
}

async function merges(ids) {
  for (let sent = 0; sent < total; sent += AT_ONCE)
    await call('POST /deals/bulk/email', { ids: ids.slice(0, total - sent), again: true });
}

async function sendBare(messages) {
  bare.send({ port, messages });
  await once(bare, 'message');
}

/** Returns the product's messages in the form that nodemailer takes. */
async function messagesOf(entries) {
  const messages = [];
  for (const { _id } of entries) {
    const { from, to, subject, html, text } = await call(`GET /email/logs/${_id}`);
    messages.push({ from: { name: 'Admin', address: from }, to, subject, html, text });
  }
  return messages;
}

try {
  const ids = await prepare();
  await untilArrived(total, () => merges(ids));
  const some = await messagesOf((await call('GET /email/logs?limit=50')).items);
  const messages = Array.from({ length: total }, (_, place) => some[place % some.length]);
  await untilArrived(total, () => sendBare(messages));
  const rates = { product: [], bare: [] };
  for (let round = 0; round < rounds; round += 1) {
    rates.product.push(total / (await untilArrived(total, () => merges(ids))));
    rates.bare.push(total / (await untilArrived(total, () => sendBare(messages))));
  }
  const ratio = median(rates.bare) / median(rates.product);
  const size = Math.round((some[0].html.length + some[0].text.length) / 1024);
  printTable(
    ['Mail, a second', 'product', 'bare nodemailer', 'ratio', 'goal', 'spread'],
    [
      [
        `${count(total)} messages of ${size} KB through the whole queue`,
        count(median(rates.product)),
        count(median(rates.bare)),
        ratio.toFixed(2),
        `${GOAL} ${ratio <= GOAL ? '✓' : '✗'}`,
        `${spread(rates.product).toFixed(0)} / ${spread(rates.bare).toFixed(0)} %`,
      ],
      ['an hour', ...['product', 'bare'].map((side) => count(3600 * median(rates[side])))],
    ],
  );
} finally {
  bare.disconnect();
  sink.disconnect();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
