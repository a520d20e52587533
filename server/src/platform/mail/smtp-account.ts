/** A mail server and how to sign in there. */
export type SmtpAccount = {
  host: string;
  port: number;
  /**
   * True: TLS from the first byte. False: STARTTLS, and plain text only towards this machine where it does not
   * offer it: a password on the office's network can be listened to as well (security.md F5). Certificates are
   * always verified.
   */
  secure: boolean;
  user: string;
} & ({ password: string } | { accessToken: string });

/** One that is signed in to with a password. */
export type PasswordAccount = Extract<SmtpAccount, { password: string }>;
