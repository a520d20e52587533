/** Texts of the dashboard. */
export const texts = {
  title: 'Dashboard',
  deals: 'Deals',
  sales: 'Sales',
  grossProfit: 'Gross profit',
  failedEmails: 'Failed emails',
  allSent: 'Nothing is stuck',
  toLookAt: 'Open the history',
  openRows: 'Open the rows',
  byStatus: 'By status',
  noDealsTitle: 'No deals this month yet',
  noDeals: 'The first row you type in Data Entry appears here.',
  openDataEntry: 'Open Data Entry',
  startTitle: 'Getting started',
  startProgress: (done: number, all: number) => `${done} of ${all} done`,
  startNote: 'Five steps from an empty system to the first deal that reached its dealership.',
  done: 'Done',
  todo: 'To do',
  steps: {
    emailSettings: {
      title: 'Enter your mail server',
      text: 'Emails go out through your own SMTP settings. Test the connection before you save.',
      action: 'Email Settings',
    },
    template: {
      title: 'Write a template and activate it',
      text: 'The words of the email, with variables that each deal fills in.',
      action: 'New Template',
    },
    dealership: {
      title: 'Add a dealership with its contacts',
      text: 'Who receives the email, To or Cc, and which template they get.',
      action: 'Dealerships',
    },
    deal: {
      title: 'Type the first deal',
      text: 'A name and a dealership are enough for a row.',
      action: 'Data Entry',
    },
    email: {
      title: 'Send its email',
      text: 'Preview it from the row and send it; the history shows what became of it.',
      action: 'Data Entry',
    },
  },
} as const;
