import type { Config } from '../config.ts';
import { newId } from '../ids.ts';
import { createOutbound, type OwnAddresses } from '../outbound/outbound.ts';
import { parseSmtpUrl } from '../smtp-url.ts';
import { createTransports } from './transports.ts';

export type SystemMessage = {
  /** The unique part of the Message-ID, equal in all attempts; default: a new one. */
  id?: string;
  to: string;
  subject: string;
  text: string;
};

export type SystemMail = {
  /** Sends a plain-text message. Throws SmtpFailure. */
  send(mail: SystemMessage, signal: AbortSignal): Promise<void>;
  close(): void;
};

type Settings = OwnAddresses & Pick<Config, 'SMTP_URL' | 'COMPANY_NAME' | 'STRICT_OUTBOUND'>;

/**
 * Sends the program's own mail, such as reset links, through the server of SMTP_URL or another one. Returns undefined
 * without a server.
 */
export function createSystemMail(
  config: Settings,
  address = config.SMTP_URL === undefined ? undefined : parseSmtpUrl(config.SMTP_URL),
): SystemMail | undefined {
  if (!address) return undefined;
  const { account, from } = address;
  // STRICT_OUTBOUND restricts only servers entered by users, not that of the operator.
  const transports = createTransports(createOutbound({ ...config, STRICT_OUTBOUND: false }));
  return {
    async send({ id = newId(), to, subject, text }, signal) {
      const message = {
        messageId: `<${id}@${from.split('@')[1]}>`,
        date: new Date(),
        from: { name: config.COMPANY_NAME, address: from },
        to: [to],
        cc: [],
        subject,
        text,
      };
      await transports.send('system', account, message, signal);
    },
    close: () => transports.close(),
  };
}
