/** A mail server and its credentials. */
export type SmtpAccount = {
  host: string;
  port: number;
  /**
   * True: TLS from the first byte. False: STARTTLS; without it plain text, but only to this machine, because a password
   * can be intercepted in an office network too (docs/product/security.md, Passwords only over TLS). Certificates are
   * always verified.
   */
  secure: boolean;
  user: string;
} & ({ password: string } | { accessToken: string });

export type PasswordAccount = Extract<SmtpAccount, { password: string }>;

/** A mailbox that sends by Microsoft Graph. */
export type GraphAccount = { graph: string; user: string; accessToken: string };

export type MailAccount = SmtpAccount | GraphAccount;
