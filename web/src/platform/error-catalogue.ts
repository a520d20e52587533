/** The failure messages of calls, verbatim (docs/product/screens.md, Texts). Those of features are in their texts. */
export const errorCatalogue = {
  interceptor: {
    unauthorised: 'Session expired. Please log in again.',
    passwordChange: 'Password change required',
    forbidden: 'Access denied',
    badRequest: 'Invalid request',
    notFound: 'Resource not found',
    serverError: 'Server error. Please try again later.',
    other: (status: number) => `Error: ${status}`,
    timeout: 'Request timeout. Please try again.',
    noAnswer: 'Network error. Please check your connection.',
  },
  permissions: {
    invalidUser: 'Invalid user ID',
    tooMany: 'Too many permission requests, please wait',
  },
} as const;

/** The texts beside 'Access denied' for a change that the screen offered: what happened, what is kept, what to do. */
export const refusals = {
  /** What happened, by the reason that the server gives. */
  reasons: {
    NO_OWNER_CHANGE: 'You may no longer transfer rows.',
    NOT_ROW_OWNER: 'The row is no longer yours or shared with you.',
  } as Readonly<Record<string, string>>,
  otherReason: 'Your permissions have changed.',
  next: 'Nothing was changed; what you typed is kept. Ask an administrator.',
} as const;
