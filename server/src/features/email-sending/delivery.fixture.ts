import { readConfig } from '../../platform/config.ts';
import { openDatabase, type Connection } from '../../platform/db/database.ts';
import { createLog } from '../../platform/log.ts';
import { SMTP_LIMITS, type SmtpLimits } from '../../platform/mail/smtp.ts';
import { createTransports } from '../../platform/mail/transports.ts';
import { createOutbound } from '../../platform/outbound/outbound.ts';
import { createSecrets } from '../../platform/secrets.ts';
import { createEmailSettingsService } from '../email-settings/email-settings.service.ts';
import { createDelivery, type DeliveryTimes } from './delivery.ts';

const config = readConfig({});
const log = createLog('silent');
export const secrets = createSecrets(Buffer.alloc(32, 7));

/** A worker with everything of its own, as another instance of the program has. */
export function openWorker(
  connection: Connection,
  times: Partial<DeliveryTimes> = {},
  limits: SmtpLimits = SMTP_LIMITS,
) {
  const database = openDatabase(connection, log, 6);
  const { db } = database;
  const transports = createTransports(createOutbound(config), limits);
  const settings = createEmailSettingsService({ secrets, config });
  const delivery = createDelivery({ db, log, events: { announce: () => {} }, settings, transports, times });
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

// Run as a program it is a worker in a process of its own, which a test can kill.
if (import.meta.main) {
  const { connection, senderId } = JSON.parse(process.argv[2]!) as {
    connection: Connection;
    senderId: string;
  };
  await openWorker(connection, { leaseSeconds: 0.5, renewMs: 150 }).drain(senderId);
}
