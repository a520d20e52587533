const CONSENT =
  'An administrator of Microsoft 365 has to consent: Microsoft Entra admin center, App registrations, API permissions, Grant admin consent.';
const SIGN_IN_AGAIN = 'Microsoft 365 requires a new sign-in. Connect the mailbox again in General Settings.';
const SECRET =
  'An administrator creates a client secret (Microsoft Entra admin center, App registrations, Certificates & secrets) and sets OAUTH_MICROSOFT_SECRET to its value.';
const POLICY =
  'A Conditional Access policy or the security defaults of Microsoft 365 refuse this sign-in. An administrator of Microsoft 365 has to allow it for Forecourt.';
const SMTP_AUTH =
  'An administrator allows it (Microsoft 365 admin center, Active users, the user, Mail, Manage email apps, Authenticated SMTP), or sets OAUTH_MICROSOFT_SEND=graph.';
const NO_PASSWORDS =
  'Microsoft 365 accepts no passwords from mail programs. Connect the mailbox in General Settings instead.';
const OTHER_ACCOUNT =
  'The connected account may not send from this address. Connect the mailbox again with the account that has it, or let an administrator of Microsoft 365 grant Send As.';

/** Error codes of Microsoft's sign-in with advice. */
const SIGN_IN: [codes: number[], text: string][] = [
  [
    [50194],
    'The registration is for one organisation, and OAUTH_MICROSOFT_TENANT names none. An administrator sets it to the Directory (tenant) ID.',
  ],
  [
    [90002, 900023, 900021],
    'OAUTH_MICROSOFT_TENANT names no organisation that Microsoft knows. An administrator sets it to the Directory (tenant) ID.',
  ],
  [
    [700016, 90009],
    'The registration is not known in this organisation. An administrator compares OAUTH_MICROSOFT_ID and OAUTH_MICROSOFT_TENANT with Microsoft Entra.',
  ],
  [
    [50020, 500208, 50128, 90072],
    'The account belongs to another organisation. Use a mailbox of the organisation that OAUTH_MICROSOFT_TENANT names.',
  ],
  [[7000215, 7000218], `The client secret is not the right one. ${SECRET}`],
  [[7000222], `The client secret has expired. ${SECRET}`],
  [
    [50011],
    'The redirect address is not registered. An administrator adds PUBLIC_URL followed by /settings/general under Authentication of the registration.',
  ],
  [[65001, 90094, 90095, 900941], CONSENT],
  [[65004], 'Consent was not given. Connect the mailbox again and accept.'],
  [
    [650053, 650057, 70011, 500011, 650052],
    'The registration does not have the permission to send mail. An administrator adds it (API permissions) and grants consent: Mail.Send and User.Read for OAUTH_MICROSOFT_SEND=graph, otherwise SMTP.Send.',
  ],
  [
    [50105],
    'The account is not assigned to Forecourt. An administrator of Microsoft 365 assigns it (Enterprise applications, Users and groups).',
  ],
  [
    [50057, 50034],
    'The account does not exist or is blocked in Microsoft 365. Ask an administrator of Microsoft 365.',
  ],
  [[50053], 'Microsoft 365 has locked the account for a while. Connect the mailbox again later.'],
  [[53000, 53001, 53002, 53003, 53004, 530032, 530035], POLICY],
  [
    [50076, 50078, 50079, 50072, 50158, 50173, 50133, 50132, 70043, 70044, 700082, 700084, 70008],
    SIGN_IN_AGAIN,
  ],
];

/** Responses of Exchange Online with advice, matched by their text: other servers use the same numbers. */
const SMTP: [answer: RegExp, text: string][] = [
  [
    /5\.7\.139.*SmtpClientAuthentication is disabled/i,
    `SMTP is switched off for this mailbox or organisation. ${SMTP_AUTH}`,
  ],
  [/5\.7\.139.*(security defaults|Conditional Access|policy)/i, POLICY],
  [/5\.7\.139.*basic authentication/i, NO_PASSWORDS],
  [
    /5\.7\.139/,
    `Microsoft 365 refused the sign-in: SMTP may be switched off for the mailbox, or the password is not accepted. ${SMTP_AUTH}`,
  ],
  [/5\.7\.30\b.*basic authentication/i, NO_PASSWORDS],
  [
    /5\.7\.57\b.*not authenticated/i,
    `Microsoft 365 requires a sign-in, which SMTP does not offer for this mailbox. ${SMTP_AUTH}`,
  ],
  [/5\.7\.60\b.*permission|SendAsDenied/i, OTHER_ACCOUNT],
];

/** Error codes of Microsoft Graph with advice. */
const GRAPH: Record<string, string> = {
  ErrorAccessDenied: `Microsoft 365 does not let Forecourt send from this mailbox. ${CONSENT}`,
  Authorization_RequestDenied: `Microsoft 365 does not let Forecourt send from this mailbox. ${CONSENT}`,
  ErrorSendAsDenied: OTHER_ACCOUNT,
  MailboxNotEnabledForRESTAPI:
    'The account has no mailbox in Exchange Online. An administrator of Microsoft 365 assigns a licence with one.',
  MailboxNotSupportedForRESTAPI:
    'The account has no mailbox in Exchange Online. An administrator of Microsoft 365 assigns a licence with one.',
  ErrorNonExistentMailbox:
    'The account has no mailbox in Exchange Online. An administrator of Microsoft 365 assigns a licence with one.',
  ErrorAccountSuspend:
    'Microsoft 365 has blocked the mailbox for sending. Sign in to Outlook on the web and follow the instructions there.',
  ErrorMessageSubmissionBlocked:
    'Microsoft 365 has blocked the mailbox for sending. Sign in to Outlook on the web and follow the instructions there.',
  ErrorExceededMessageLimit: 'The mailbox has sent as many messages as Microsoft 365 allows in a day.',
  ErrorQuotaExceeded: 'The mailbox is full. Delete messages, also from Sent Items.',
};

/** Returns advice for an error of Microsoft's sign-in, with its code; undefined for unknown ones. */
export function signInRefusal(description: string): string | undefined {
  const code = /AADSTS(\d+)/.exec(description)?.[1];
  const refusal = SIGN_IN.find(([codes]) => codes.includes(Number(code)));
  return refusal && `${refusal[1]} (AADSTS${code})`;
}

/** Returns advice for a response of Exchange Online, with its code; undefined for unknown ones. */
export function smtpRefusal(answer: string): string | undefined {
  const refusal = SMTP.find(([pattern]) => pattern.test(answer));
  return refusal && `${refusal[1]} (${/5\.7\.\d+/.exec(answer)?.[0] ?? 'SendAsDenied'})`;
}

/** Returns advice for an error of Microsoft Graph, with its code; undefined for unknown ones. */
export const graphRefusal = (code: string): string | undefined =>
  Object.hasOwn(GRAPH, code) ? `${GRAPH[code]} (${code})` : undefined;
