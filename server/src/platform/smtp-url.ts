import { EmailAddress } from '@forecourt/contract/route';

const PORTS: Record<string, number> = { 'smtp:': 587, 'smtps:': 465 };

/**
 * Parses SMTP_URL, the server and sender of system mail: `smtp://user:password@host:587?from=…`, or `smtps://` for TLS
 * from the first byte. Returns undefined if it is invalid. Without `from` the user is the sender, if it is an address.
 * User and password are optional, for a relay without authentication.
 */
export function parseSmtpUrl(text: string) {
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
    // Thrown for a percent sign that is no escape.
    return undefined;
  }
}
