import { fork } from 'node:child_process';
import { once } from 'node:events';
import tls from 'node:tls';
import { TEST_CERTIFICATE } from '../../../test/certificate.ts';
import { readConfig } from '../../platform/config.ts';
import { openDatabase, type Connection } from '../../platform/db/database.ts';
import { createFileStore } from '../../platform/files/file-store.ts';
import { createLog } from '../../platform/log.ts';
import { SMTP_LIMITS, type SmtpLimits } from '../../platform/mail/smtp.ts';
import { createTransports } from '../../platform/mail/transports.ts';
import { createOutbound } from '../../platform/outbound/outbound.ts';
import { createSecrets } from '../../platform/secrets.ts';
import { createEmailSettingsService } from '../email-settings/email-settings.service.ts';
import { createTemplateImages } from '../email-templates/template-images.service.ts';
import { createDelivery, type DeliveryTimes } from './delivery.ts';
import { createEmailAttachments } from './email-attachments.service.ts';

const config = readConfig({});
const files = createFileStore(config.DATA_DIR);
const log = createLog('silent');
export const secrets = createSecrets(Buffer.alloc(32, 7));

/** Opens a worker with its own dependencies, like another instance of the program. */
export function openWorker(
  connection: Connection,
  times: Partial<DeliveryTimes> = {},
  limits: SmtpLimits = SMTP_LIMITS,
  /** Called before the worker reads a sender. */
  beforeSender: () => Promise<void> = async () => {},
) {
  const database = openDatabase(connection, log, 6);
  const { db } = database;
  const transports = createTransports(createOutbound(config), limits);
  const settings = createEmailSettingsService({ secrets, config });
  const images = createTemplateImages(files);
  const delivery = createDelivery({
    db,
    log,
    events: { announce: () => {} },
    settings: {
      ...settings,
      senderAccount: async (...args) => {
        await beforeSender();
        return settings.senderAccount(...args);
      },
    },
    images,
    attachments: createEmailAttachments(files),
    transports,
    times,
  });
  return {
    delivery,
    drain: (senderId: string) => delivery.drain(senderId, new AbortController().signal),
    async close() {
      await delivery.stop();
      transports.close();
      await database.close();
    },
  };
}

/** Starts a worker in a separate process, which can be killed. */
export function startWorker(connection: Connection, senderId: string) {
  const child = fork(import.meta.filename, [JSON.stringify({ connection, senderId })]);
  const ended = once(child, 'exit');
  return {
    /** Starts the delivery of due messages. */
    start: () => void child.send('go'),
    /** Resolves when it has sent all due messages and waits. */
    drained: once(child, 'message'),
    async kill(): Promise<void> {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

// Run as a program, this file is such a worker.
if (import.meta.main) {
  const { connection, senderId } = JSON.parse(process.argv[2]!) as {
    connection: Connection;
    senderId: string;
  };
  tls.setDefaultCACertificates([TEST_CERTIFICATE]);
  const { drain } = openWorker(
    connection,
    { leaseSeconds: 0.5, renewMs: 150 },
    { ...SMTP_LIMITS, idleMs: 20 },
  );
  await once(process, 'message');
  await drain(senderId);
  process.send?.('drained');
  // Ends with its parent process.
  process.once('disconnect', () => process.exit());
}
