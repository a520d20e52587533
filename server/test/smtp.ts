import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { TEST_CERTIFICATE, TEST_KEY } from './certificate.ts';

type Refusal = { code: number; text: string };

/** How the server treats one complete message. */
export type SmtpReply =
  | 'accept'
  /** The connection ends without a response. */
  | 'drop'
  /** No response. */
  | 'hang'
  /** Accepted, or refused, once this signal is aborted. */
  | { after: AbortSignal; refusal?: Refusal }
  | Refusal;

export type Received = {
  raw: string;
  envelope: { from: string; to: string[] };
  isEncrypted: boolean;
};

/** Parses a message as a mail program does. */
export const readMail = ({ raw }: Received): Promise<Email> => PostalMime.parse(raw);

/** Returns the Message-IDs in order of arrival. */
export const messageIds = (received: Received[]): string[] =>
  received.map(({ raw }) => /^message-id: *(.*)$/im.exec(raw)?.[1]?.trim() ?? '');

export type MailServer = {
  port: number;
  /** Every message received completely, accepted or not. */
  arrived: Received[];
  /** Accepted messages. */
  accepted: Received[];
  /** The refusals of recipients, by address in lower case. */
  refused: Map<string, Refusal>;
  /** The replies of the next messages in order; later ones are accepted. */
  next(...replies: SmtpReply[]): void;
  /** Waits until this many messages have arrived. */
  whenArrived(count: number): Promise<void>;
  /** Number of connections opened so far. */
  connections(): number;
  close(): Promise<void>;
};

type Options = {
  /** Users who may sign in; omitted: no sign-in is required. */
  password?: string;
  /** The answer to a refused sign-in. */
  signInRefusal?: Refusal;
  /** Accepts sign-in by XOAUTH2 with a valid token, and not by password. */
  takesToken?: (user: string, token: string) => boolean;
  secure?: boolean;
  offersStartTls?: boolean;
  refusesSender?: boolean;
  /** Accepts connections and never responds. */
  isSilent?: boolean;
};

const refusalOf = ({ code, text }: Refusal) => Object.assign(new Error(text), { responseCode: code });

/** Starts a real SMTP server on 127.0.0.1. For TLS it uses the certificate of `certificate.ts`. */
export async function openMailServer(options: Options = {}): Promise<MailServer> {
  const replies: SmtpReply[] = [];
  const refused: MailServer['refused'] = new Map();
  const arrived: Received[] = [];
  const accepted: Received[] = [];
  const waiting: (() => void)[] = [];
  let connections = 0;

  const server = new SMTPServer({
    secure: options.secure ?? false,
    cert: TEST_CERTIFICATE,
    key: TEST_KEY,
    hideSTARTTLS: !options.offersStartTls,
    allowInsecureAuth: true,
    authOptional: options.password === undefined && !options.takesToken,
    ...(options.takesToken && { authMethods: ['XOAUTH2'] }),
    disableReverseLookup: true,
    closeTimeout: 100,
    onConnect(_session, callback) {
      connections += 1;
      if (!options.isSilent) callback();
    },
    onAuth(auth, _session, callback) {
      const { takesToken, password } = options;
      const isKnown = takesToken
        ? takesToken(auth.username ?? '', auth.accessToken ?? '')
        : password === undefined || auth.password === password;
      if (isKnown) callback(null, { user: auth.username });
      else callback(refusalOf(options.signInRefusal ?? { code: 535, text: 'banner-secret: who are you' }));
    },
    onMailFrom(_address, _session, callback) {
      callback(
        options.refusesSender ? refusalOf({ code: 550, text: 'banner-secret: not from there' }) : null,
      );
    },
    onRcptTo({ address }, _session, callback) {
      const reply = refused.get(address.toLowerCase());
      callback(reply && refusalOf(reply));
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks);
        const reply = replies.shift() ?? 'accept';
        const received = {
          raw: raw.toString('utf8'),
          envelope: envelopeOf(session),
          isEncrypted: session.secure,
        };
        arrived.push(received);
        const isAccepted =
          reply === 'accept' || (reply instanceof Object && 'after' in reply && !reply.refusal);
        if (isAccepted) accepted.push(received);
        for (const look of waiting) look();
        if (reply === 'accept') callback();
        else if (reply === 'drop') drop(session);
        else if (reply === 'hang') return;
        else if ('after' in reply) {
          const { after, refusal } = reply;
          after.addEventListener('abort', () => callback(refusal && refusalOf(refusal)));
        } else callback(refusalOf(reply));
      });
    },
  });
  server.on('error', () => {});

  function drop(session: SMTPServerSession): void {
    for (const connection of server.connections) if (connection.id === session.id) connection.close();
  }

  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.server.address() as { port: number }).port,
    arrived,
    accepted,
    refused,
    next: (...given) => void replies.push(...given),
    whenArrived: (count) =>
      new Promise((resolve) => {
        const look = () => arrived.length >= count && resolve();
        waiting.push(look);
        look();
      }),
    connections: () => connections,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

const envelopeOf = ({ envelope }: SMTPServerSession) => ({
  from: envelope.mailFrom ? envelope.mailFrom.address : '',
  to: envelope.rcptTo.map(({ address }) => address),
});
