/** Every address of a screen, named. Links use these; routes.tsx says what is behind them. */
export const paths = {
  home: '/',
  dashboard: '/dashboard',
  dataEntry: '/data-entry',
  templates: '/email-templates',
  newTemplate: '/email-templates/new',
  editTemplate: (id: string) => `/email-templates/${encodeURIComponent(id)}/edit`,
  emailHistory: '/email-templates/history',
  dealerships: '/settings/dealerships',
  emailSettings: '/settings/email',
  changePassword: '/change-password',
  unauthorized: '/unauthorized',
  login: '/login',
  register: '/register',
} as const;
