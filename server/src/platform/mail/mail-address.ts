import { EmailAddress } from '@forecourt/contract/route';
import type { PasswordAccount } from './smtp-account.ts';

/** What SMTP_URL says: the server of the system's own mail, and the address it comes from. */
type MailAddress = { account: PasswordAccount; from: string };

const PORTS: Record<string, number> = { 'smtp:': 587, 'smtps:': 465 };

/**
 * Reads `smtp://user:password@host:587?from=…`, or `smtps://` for TLS from the first byte; undefined where it is
 * none. Without `from` the user is the sender, where it is an address. User and password may be left out for a
 * relay that asks for none.
 */
export function readMailAddress(text: string): MailAddress | undefined {
  const url = URL.parse(text);
  const port = PORTS[url?.protocol ?? ''];
  if (!url || port === undefined || url.hostname === '') return undefined;
  try {
    const user = decodeURIComponent(url.username);
    const from = EmailAddress.safeParse(url.searchParams.get('from') ?? user);
    const account = {
      host: decodeURIComponent(url.hostname).replace(/^\[|\]$/g, ''),
      port: Number(url.port || port),
      secure: url.protocol === 'smtps:',
      user,
      password: decodeURIComponent(url.password),
    };
    return from.success ? { account, from: from.data } : undefined;
  } catch {
    // A percent sign that is not an escape.
    return undefined;
  }
}
