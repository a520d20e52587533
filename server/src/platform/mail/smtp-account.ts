/** A mail server and its credentials. */
export type SmtpAccount = {
  host: string;
  port: number;
  /**
   * True: TLS from the first byte. False: STARTTLS, with plain text only to this machine when it does not offer
   * STARTTLS: a password can be intercepted on the office network as well (docs/product/security.md, Passwords only
   * over TLS). Certificates are always verified.
   */
  secure: boolean;
  user: string;
} & ({ password: string } | { accessToken: string });

export type PasswordAccount = Extract<SmtpAccount, { password: string }>;

/** A mailbox that sends by Microsoft Graph: the address of its API, and a token. */
export type GraphAccount = { graph: string; user: string; accessToken: string };

export type MailAccount = SmtpAccount | GraphAccount;
