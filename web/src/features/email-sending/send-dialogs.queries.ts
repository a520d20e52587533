/** The dialogs, which other features open: their script comes when somebody sends. */
export const loadSendEmailDialog = async () => (await import('./SendEmailDialog.tsx')).SendEmailDialog;
export const loadMergeDialog = async () => (await import('./MergeDialog.tsx')).MergeDialog;

/** Says how a message fares from now on. */
export const loadFollowMessage = async () => (await import('./SendEmailDialogToast.tsx')).followMessage;
